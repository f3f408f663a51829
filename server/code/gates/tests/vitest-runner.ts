// The runner of Vitest tests inside the sandbox: started through Vitest's own API with our settings
// only, so that no settings file of the code is loaded. Its reporter runs in the process that
// starts the tests, not in those that run them. A set-up file protects `expect` from matchers that
// accept everything.
import { scriptTestSidePath } from '../isolated/script-test-side';

export const vitestRunnerPath = '/opt/assay/run-vitest.mjs';
export const vitestSetupPath = '/opt/assay/keep-expect.mjs';

export const vitestRunner = String.raw`
import fs from 'node:fs';
import { createRequire } from 'node:module';
const { nonce, tests, expected, modules } = JSON.parse(fs.readFileSync(0, 'utf8'));
// Isolated tests talk to the code over a descriptor of this process, which only its threads have.
const link = modules ? createRequire(import.meta.url)('${scriptTestSidePath}') : null;
link?.prepare(modules);
let lines = 0;
const hex = (text) => Buffer.from(String(text)).toString('hex');
const sendLine = (kind, id, message = '') => {
  let line = Buffer.from(nonce + ' ' + kind + ' ' + hex(id) + ' ' + hex(message) + '\n');
  while (line.length > 0) line = line.subarray(fs.writeSync(3, line));
  lines += 1;
};
for (const id of expected) sendLine('expect', id);
let failures = 0;
const fail = (id, error) => { failures += 1; sendLine('fail', id, String((error && error.message) || error || 'failed').split('\n')[0].slice(0, 400)); };
const pathOf = (module) => module.moduleId.replace(/^\/box\//, '');
const reporter = {
  onTestRunEnd(modules, errors, reason) {
    for (const error of errors) fail('(run)', error);
    for (const module of modules) {
      for (const error of module.errors()) fail(pathOf(module), error);
      for (const test of module.children.allTests()) {
        const result = test.result();
        const id = pathOf(module) + '::' + test.name;
        if (result.state === 'passed') sendLine('pass', id);
        else if (result.state === 'skipped') sendLine('skip', id);
        else fail(id, result.errors && result.errors[0]);
      }
      for (const suite of module.children.allSuites()) for (const error of suite.errors()) fail(pathOf(module) + '::' + suite.name, error);
    }
    for (const [kind, text] of link?.noted() ?? []) {
      if (kind === 'fail') fail('(run)', text);
      else sendLine(kind, '', text);
    }
    if (reason !== 'passed' && failures === 0) fail('(run)', reason);
    sendLine('end', '', lines);
  },
};
const { startVitest } = await import('/box/node_modules/vitest/dist/node.js');
try {
  const vitest = await startVitest('test', [], {
    root: '/box', config: false, watch: false, include: tests, exclude: [], reporters: [reporter], pool: link ? 'threads' : 'forks', maxWorkers: link ? 1 : 2,
    setupFiles: ['${vitestSetupPath}'], globals: true, passWithNoTests: false, allowOnly: true, update: false, cache: false,
    testTimeout: 20000, includeTaskLocation: false, coverage: { enabled: false },
  }, { configFile: false, cacheDir: '/tmp/vite', envDir: false, publicDir: false, server: { fs: { strict: false } }, logLevel: 'error' });
  await vitest?.close();
} catch (error) {
  process.stderr.write(String((error && error.stack) || error) + '\n');
  process.exit(1);
}
process.exit(failures > 0 ? 1 : 0);
`;

export const vitestSetup = String.raw`
import { chai, expect } from '/box/node_modules/vitest/dist/index.js';
const fix = (holder) => {
  for (const name of Reflect.ownKeys(holder)) {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    if (name === 'constructor' || !found.configurable) continue;
    Object.defineProperty(holder, name, 'value' in found ? { ...found, writable: false, configurable: false } : { ...found, configurable: false });
  }
};
fix(chai.Assertion.prototype);
const realExtend = expect.extend;
const known = new Set(Object.getOwnPropertyNames(chai.Assertion.prototype));
Object.defineProperty(expect, 'extend', {
  writable: false,
  configurable: false,
  value(matchers) {
    const taken = Object.keys(matchers).filter((name) => known.has(name));
    if (taken.length > 0) throw new Error('expect.extend may not replace ' + taken.join(', '));
    return realExtend(matchers);
  },
});
for (const name of ['chai', 'util']) if (expect[name]) Object.defineProperty(expect, name, { writable: false });
`;
