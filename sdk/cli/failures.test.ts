import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApi } from './api';
import { readConnection, readFlags } from './arguments';
import { asSentence, CliFailure, withRemark } from './failure';
import { nearest } from './nearest';
import { readIds } from './read-ids';
import { readInput } from './read-input';
import { readTurns } from './read-turns';

const options = {
  session: { type: 'string' },
  outcome: { type: 'string' },
  'min-n': { type: 'string' },
  report: { type: 'boolean' },
} as const;

function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof CliFailure) return error.message;
    throw error;
  }
  return 'none';
}

test.each<[string, string[], string]>([
  ['an unknown flag', ['--sesion', 'x'], '--sesion is not an option; did you mean --session?'],
  [
    'a short one',
    ['-x'],
    '-x is not an option; the options are --session, --outcome, --min-n, --report, --url, --key, --json, --help.',
  ],
  [
    'no value',
    ['--session'],
    '--session needs a value; write --session=VALUE for one that begins with "-".',
  ],
  [
    'a flag as value',
    ['--session', '--report'],
    '--session needs a value; write --session=VALUE for one that begins with "-".',
  ],
  ['a value too many', ['--report=yes'], '--report must not have a value.'],
])('%s is one sentence', (_what, args, sentence) => {
  expect(failureOf(() => readFlags(args, options))).toBe(sentence);
});

test.each<[string[], (flags: ReturnType<typeof readFlags>) => unknown, string]>([
  [
    ['--min-n', 'x'],
    (flags) => flags.number('min-n', 0, 9),
    '--min-n must be a number from 0 to 9, not "x".',
  ],
  [
    ['--min-n', '10'],
    (flags) => flags.number('min-n', 0, 9),
    '--min-n must be a number from 0 to 9, not "10".',
  ],
  [
    ['--outcome', 'bad'],
    (flags) => flags.choice('outcome', ['passed', 'failed']),
    '--outcome must be one of passed, failed, not "bad".',
  ],
  [
    ['--session', 'x'],
    (flags) => flags.time('session'),
    '--session must be a time such as 2026-01-31T12:00:00Z, not "x".',
  ],
  [
    ['--url', 'localhost'],
    (flags) => readConnection(flags, {}),
    '"localhost" is not the address of an HTTP server; set --url or ASSAY_URL to one such as http://localhost:4318.',
  ],
  [
    [],
    (flags) => readConnection(flags, {}),
    'An API key is required; set --key or ASSAY_API_KEY (assay keys create prints one).',
  ],
])('%j: %#', (args, read, sentence) => {
  expect(failureOf(() => read(readFlags(args, options)))).toBe(sentence);
});

test('a server that does not answer is named, with a check to make', async () => {
  const api = createApi({ url: 'http://127.0.0.1:1', key: 'asy_x' }, { retryForMs: 0 });
  await expect(api.call('/v1/verifications')).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:1 does not answer \(.+\); check --url or ASSAY_URL, and that the server is running\.$/,
  );
});

test('files that cannot be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-cli-'));
  try {
    await expect(readInput(join(folder, 'gone.json'))).rejects.toThrow(
      /gone\.json does not exist; check the path\.$/,
    );
    await expect(readInput(folder)).rejects.toThrow(/ is a folder; name a file\.$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['{"output":"a"}\n{"output":x}\n', [[2, 'not valid JSON: column 11: a value is missing']]],
  [
    '{\n  "output": "a"\n  "id": "b"\n}\n',
    [[3, 'not valid JSON: column 3: a comma or a closing bracket is missing']],
  ],
  ['[1]', [[1, 'a turn must be a JSON object']]],
])('turns that are not JSON are named by line and column: %j', (text, bad) => {
  expect(readTurns(text, {}, () => 'id').bad.map(({ line, message }) => [line, message])).toEqual(
    bad,
  );
});

test('a fault of JSON is found as the server finds it', () => {
  const [own, servers] = ['./json-fault.ts', '../../server/domain/json-fault.ts'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  );
  expect(own).toBe(servers);
});

test('ids', () => {
  expect(failureOf(() => readIds('{"output":"a"}'))).toBe(
    'Line 1 has a turn without an id, which cannot be looked up.',
  );
});

test.each([
  ['sned', 'send'],
  ['tial', 'tail'],
  ['improt', 'import'],
  ['verdicts', null],
  ['x'.repeat(100), null],
])('of %.20s the nearest is %s', (name, near) => {
  expect(nearest(name, ['send', 'import', 'tail', 'gate'])).toBe(near);
});

test('a sentence ends with one mark', () => {
  expect(asSentence('It failed\n again')).toBe('It failed again.');
  expect(asSentence('It failed.')).toBe('It failed.');
  expect(withRemark('It failed.', '401')).toBe('It failed (401).');
});
