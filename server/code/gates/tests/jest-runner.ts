// The runner of Jest tests inside the sandbox: started through Jest's own API with our settings
// only. The results come back to the process that started it; the tests run in other processes.
import { scriptTestSidePath } from '../isolated/script-test-side';

export const jestRunnerPath = '/opt/assay/run-jest.cjs';

export const jestRunner = String.raw`
'use strict';
const fs = require('node:fs');
const { nonce, tests, expected, modules } = JSON.parse(fs.readFileSync(0, 'utf8'));
// Isolated tests talk to the code over a descriptor that only this process has.
const link = modules ? require('${scriptTestSidePath}') : null;
link?.prepare(modules);
let lines = 0;
const hex = (text) => Buffer.from(String(text)).toString('hex');
const sendLine = (kind, id, message = '') => {
  let line = Buffer.from(nonce + ' ' + kind + ' ' + hex(id) + ' ' + hex(message) + '\n');
  while (line.length > 0) line = line.subarray(fs.writeSync(3, line));
  lines += 1;
};
for (const id of expected) sendLine('expect', id);
const { runCLI } = require('/box/node_modules/jest');
const config = { rootDir: '/box', testMatch: tests.map((path) => '<rootDir>/' + path), testEnvironment: 'node', cacheDirectory: '/tmp/jest', haste: { enableSymlinks: false } };
const argv = { config: JSON.stringify(config), ci: true, watchman: false, maxWorkers: link ? 1 : 2, runInBand: link !== null, cache: false, silent: true, coverage: false, passWithNoTests: false, reporters: [], _: [], $0: '' };
runCLI(argv, ['/box']).then(({ results }) => {
  for (const file of results.testResults) {
    const path = file.testFilePath.replace(/^\/box\//, '');
    if (file.testExecError || (file.failureMessage && file.testResults.length === 0)) sendLine('fail', path, String(file.failureMessage || '').split('\n').slice(0, 4).join(' ').slice(0, 400));
    for (const test of file.testResults) {
      const id = path + '::' + test.title;
      if (test.status === 'passed') sendLine('pass', id);
      else if (test.status === 'failed') sendLine('fail', id, String(test.failureMessages[0] || '').split('\n')[0].slice(0, 400));
      else sendLine('skip', id);
    }
  }
  for (const [kind, text] of link?.noted() ?? []) sendLine(kind, kind === 'fail' ? '(run)' : '', text);
  sendLine('end', '', lines);
  process.exit(results.success ? 0 : 1);
}, (error) => {
  process.stderr.write(String((error && error.stack) || error) + '\n');
  process.exit(1);
});
`;
