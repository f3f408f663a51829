// The packed files of the client and of the command line, installed in an empty folder, against an
// edge. The server's packed file: server-package.int.test.ts.
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { type Edge, startEdge } from '../../testing/processes';
import { createStack, sampleTurn, type Stack } from '../../testing/stack';
import { root } from '../data-dir.mjs';
import { run } from '../processes.mjs';
import { createProgress } from '../progress.mjs';
import { packRelease } from './pack-release.mjs';

let folder = '';
let out = '';
let packed: Record<string, string> = {};
let stack: Stack;
let edge: Edge;

const Manifest = z.object({ exports: z.record(z.string(), z.unknown()) });
const Bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ name: z.string(), version: z.string() }) }),
  components: z.array(z.object({ name: z.string(), licenses: z.array(z.unknown()).min(1) })),
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-installed-'));
  chmodSync(folder, 0o755);
  out = join(folder, 'release');
  const progress = createProgress(() => undefined);
  packed = await packRelease(['sdk', 'cli'], { out, staging: join(folder, 'staging'), progress });
  write('package.json', '{ "private": true }');
  const install = await run(
    'npm',
    // Neither has a dependency: the installation needs no registry.
    ['install', '--offline', '--no-audit', '--no-fund', ...Object.values(packed)],
    { cwd: folder },
  );
  expect(install.code, install.output).toBe(0);
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stack.close();
});

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');
const installed = (name: string): string => join(folder, 'node_modules', '@assay', name);

/** Runs Node in the folder, with the address and the key of the edge. */
async function node(...args: string[]): Promise<{ code: number; output: string }> {
  const env = {
    NODE_ENV: 'test' as const,
    PATH: process.env.PATH ?? '',
    ASSAY_URL: edge.url,
    ASSAY_API_KEY: stack.key,
  };
  return run(process.execPath, args, { cwd: folder, env });
}

/** Type-checks files of the folder as a project that installed the packages would. */
async function typeErrors(names: readonly string[], ...options: string[]): Promise<string> {
  const tsc = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', ''];
  const args = [tsc, ...strict, '--target', 'es2022', ...options, ...names];
  return (await run(process.execPath, args, { cwd: folder })).output;
}

test('a release has checksums, and a bill of materials for each package', () => {
  const names = readdirSync(out).filter((name) => name !== 'SHA256SUMS');
  expect(names.toSorted()).toEqual(
    Object.values(packed)
      .flatMap((path) => [basename(path), basename(path).replace('.tgz', '.cdx.json')])
      .toSorted(),
  );
  const sums = Object.fromEntries(
    readFileSync(join(out, 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('  ').toReversed()),
  );
  for (const name of names) {
    const sum = createHash('sha256').update(readFileSync(join(out, name)));
    expect([name, sums[name]]).toEqual([name, sum.digest('hex')]);
  }
  const bills = names
    .filter((name) => name.endsWith('.cdx.json'))
    .map((name) => Bill.parse(JSON.parse(readFileSync(join(out, name), 'utf8'))));
  const parts = Object.fromEntries(
    bills.map(({ metadata, components }) => [
      metadata.component.name,
      components.map(({ name }) => name),
    ]),
  );
  expect(parts).toEqual({
    '@assay/sdk': [],
    '@assay/cli': expect.arrayContaining(['yaml', 'zod', '@modelcontextprotocol/sdk']),
  });
  expect(parts['@assay/cli']).not.toContain('next');
});

test.each(['sdk', 'cli'])('%s has a README, the licence and the version', (name) => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readRoot('package.json')));
  expect(JSON.parse(read('node_modules', '@assay', name, 'package.json'))).toMatchObject({
    version,
    license: 'Apache-2.0',
  });
  expect(readFileSync(join(installed(name), 'LICENSE'), 'utf8')).toBe(readRoot('LICENSE'));
  const readme = readFileSync(join(installed(name), 'README.md'), 'utf8');
  // The file in its install command is the one in the release.
  expect(readme).toContain(`npm install ./${basename(packed[name] ?? '')}`);
});

const readRoot = (name: string): string => readFileSync(join(root, name), 'utf8');

test.each(['sdk', 'cli'])('%s has the same exports as ES module and as CommonJS', async (name) => {
  const manifest = Manifest.parse(
    JSON.parse(readFileSync(join(installed(name), 'package.json'), 'utf8')),
  );
  const paths = Object.keys(manifest.exports).filter((path) => !path.endsWith('.json'));
  const specifiers = paths.map((path) => join(`@assay/${name}`, path));
  expect(specifiers).toContain(`@assay/${name}`);
  write(
    'exports.mjs',
    `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const names = (of) => Object.keys(of).filter((each) => !['default', 'module.exports', '__esModule'].includes(each)).toSorted();
for (const each of ${JSON.stringify(specifiers)})
  console.log(JSON.stringify([each, names(await import(each)), names(require(each))]));`,
  );
  const ran = await node('exports.mjs');
  expect(ran.code, ran.output).toBe(0);
  for (const line of ran.output.trim().split('\n')) {
    const [specifier, esm, cjs] = z
      .tuple([z.string(), z.array(z.string()), z.array(z.string())])
      .parse(JSON.parse(line));
    expect([specifier, cjs]).toEqual([specifier, esm]);
    expect(esm).not.toEqual([]);
  }
});

test.each([
  ['mjs', "import { createAssay } from '@assay/sdk';"],
  ['cjs', "const { createAssay } = require('@assay/sdk');"],
])('the installed client verifies an answer and sends a turn (%s)', async (kind, load) => {
  const turn = JSON.stringify(sampleTurn(`packed-${kind}`));
  write(
    `client.${kind}`,
    `${load}
(async () => {
  const assay = createAssay();
  const result = await assay.verifyIntegrity({ ...${turn}, id: 'verified-${kind}' });
  const verdict = result.ok ? result.verification.verdict : result;
  assay.turn(${turn});
  await assay.flush();
  console.log(JSON.stringify({ verdict, accepted: assay.stats().accepted }));
  await assay.close();
})();`,
  );
  const ran = await node(`client.${kind}`);
  expect([ran.code, JSON.parse(ran.output)], ran.output).toEqual([
    0,
    { verdict: 'unsourced', accepted: 1 },
  ]);
});

test('its declarations fit ES modules, CommonJS and bundlers, and refuse a wrong turn', async () => {
  const use = `
export const assay = createAssay({ url: 'http://localhost:4318', key: 'k' });
const id: string = assay.turn({ output: 'text' });
export const target = assayExporterOptions({ url: 'u', key: id });
export const path: string = program;
export const functions: readonly string[] = [typeof wrap, typeof assayCallbacks];
export const wrong = () => assay.turn({ output: 1 });
`;
  const importing = `import { createAssay } from '@assay/sdk';
import { assayExporterOptions } from '@assay/sdk/otel';
import { wrap } from '@assay/sdk/wrap';
import { assayCallbacks } from '@assay/sdk/langchain';
import { program } from '@assay/cli';${use}`;
  write('esm.mts', importing);
  write('bundled.ts', importing);
  write(
    'common.cts',
    `import sdk = require('@assay/sdk');
import otel = require('@assay/sdk/otel');
import wrapping = require('@assay/sdk/wrap');
import langchain = require('@assay/sdk/langchain');
import cli = require('@assay/cli');
const { wrap } = wrapping, { assayCallbacks } = langchain;
const { createAssay } = sdk, { assayExporterOptions } = otel, { program } = cli;${use}`,
  );
  const wrongTurn = /^(\S+)\(\d+,41\): error TS2322: /;
  for (const [names, ...options] of [
    [['common.cts', 'esm.mts'], '--module', 'nodenext'],
    [['bundled.ts'], '--module', 'esnext', '--moduleResolution', 'bundler'],
  ] as const) {
    const errors = (await typeErrors(names, ...options))
      .split('\n')
      .filter((line) => /^\S/.test(line));
    expect(errors.map((line) => wrongTurn.exec(line)?.[1] ?? line).toSorted()).toEqual(names);
  }
});

test('the command line runs outside a checkout', async () => {
  const program = join('node_modules', '.bin', 'assay');
  const help = await run(join(folder, program), ['--help'], { cwd: folder });
  expect([help.code, help.output]).toEqual([0, expect.stringContaining('assay gate')]);
  write('turns.jsonl', JSON.stringify(sampleTurn('from-cli')));
  const sent = await node(program, 'send', 'turns.jsonl', '--json');
  expect([sent.code, JSON.parse(sent.output)]).toEqual([
    0,
    { accepted: 1, duplicates: 0, rejected: [], ids: ['from-cli'] },
  ]);
  const embedded = await node(program, 'eval', 'run', 'eval.yaml', '--embedded');
  expect([embedded.code, embedded.output]).toEqual([
    4,
    expect.stringContaining('run ./assay eval run in a checkout of Assay'),
  ]);
  const verifiers = await node(program, 'eval', 'run', 'eval.yaml', '--verifiers', 'v.yaml');
  expect([verifiers.code, verifiers.output]).toEqual([
    4,
    expect.stringContaining('--verifiers requires --embedded'),
  ]);
});
