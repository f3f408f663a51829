import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEdgeFlags } from '../../scripts/edge-flags.mjs';
import { readEnv } from './env';

const folder = mkdtempSync(join(tmpdir(), 'assay-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(text: string): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.yaml`);
  writeFileSync(path, text);
  return path;
}

const base = { DATABASE_URL: 'postgres://localhost/none' };
const read = (variables: Readonly<Record<string, string>>) =>
  readEnv({ ...base, ...variables }).qualityVerifier;

test('QV-2 QV-38 by default N is 10, and there is no model', () => {
  expect(read({})).toEqual({
    model: null,
    frequency: 10,
    maxHistory: null,
    maxConsecutiveFailures: 5,
    cooldownSeconds: 300,
    ttftTimeoutSeconds: 30,
    toolFollowupWeight: 0.2,
  });
});

/** Flag, file and variable name, the member, and a distinct value for each source. */
const settings = [
  ['model', 'model', ['p:flag', 'p:env', 'p:file', null]],
  ['frequency', 'frequency', [2, 3, 4, 10]],
  ['max-history', 'maxHistory', [12, 13, 14, null]],
  ['max-consecutive-failures', 'maxConsecutiveFailures', [6, 7, 8, 5]],
  ['cooldown-seconds', 'cooldownSeconds', [0, 31, 32, 300]],
  ['ttft-timeout-seconds', 'ttftTimeoutSeconds', [1.5, 2, 3, 30]],
  ['tool-followup-weight', 'toolFollowupWeight', [0, 0.5, 0.75, 0.2]],
] as const;
const places = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  flag: (bits & 4) > 0,
  env: (bits & 2) > 0,
  file: (bits & 1) > 0,
}));

test.each(
  settings.flatMap(([name, member, values]) =>
    places.map((place) => ({ name, member, values, ...place })),
  ),
)(
  'QV-39 flag over environment over file over default: $name, flag $flag, environment $env, file $file',
  ({ name, member, values, flag, env, file }) => {
    const [byFlag, byEnv, byFile, byDefault] = values;
    const variable = `QUALITY_VERIFIER_${name.toUpperCase().replaceAll('-', '_')}`;
    const path = write(
      file ? `session:\n  ${variable.toLowerCase()}: ${String(byFile)}\n` : 'session: {}\n',
    );
    const environment = { ASSAY_CONFIG: path, ...(env ? { [variable]: String(byEnv) } : {}) };
    const flags = readEdgeFlags(flag ? [`--quality-verifier-${name}`, String(byFlag)] : []);
    const wanted = flag ? byFlag : env ? byEnv : file ? byFile : byDefault;
    expect(read({ ...environment, ...flags })[member]).toBe(wanted);
  },
);

test.each([
  [
    'FREQUENCY',
    'frequency',
    {
      abc: 10,
      '2.5': 10,
      '0': 1,
      '-3': 1,
      '7': 7,
      ' 7 ': 7,
      '': 10,
      '1e9': 10,
      '99999999': 1_000_000,
    },
  ],
  ['MAX_HISTORY', 'maxHistory', { abc: null, '0': null, '-1': null, '5': 5, '2.5': null }],
  ['MAX_CONSECUTIVE_FAILURES', 'maxConsecutiveFailures', { abc: 5, '0': 1, '-2': 1, '3': 3 }],
  ['COOLDOWN_SECONDS', 'cooldownSeconds', { abc: 300, '-1': 0, '0': 0, '1.5': 1.5 }],
  ['TTFT_TIMEOUT_SECONDS', 'ttftTimeoutSeconds', { abc: 30, '0': 30, '-1': 30, '0.5': 0.5 }],
  [
    'TOOL_FOLLOWUP_WEIGHT',
    'toolFollowupWeight',
    { abc: 0.2, '-1': 0, '1.5': 1, '0': 0, '0.35': 0.35 },
  ],
] as const)(
  'QV-5 QV-8 QV-33 QV-36 an invalid number is the default, one out of range the nearest bound: %s',
  (name, member, cases) => {
    for (const [text, wanted] of Object.entries(cases)) {
      const variable = `QUALITY_VERIFIER_${name}`;
      expect(read({ [variable]: text })[member], `"${text}" in the environment`).toBe(wanted);
      const path = write(`session:\n  ${variable.toLowerCase()}: ${JSON.stringify(text)}\n`);
      expect(read({ ASSAY_CONFIG: path })[member], `"${text}" in the file`).toBe(wanted);
    }
  },
);

test.each([
  ['backends:\n  openai: {}\n', 10],
  ['', 10],
  ['session:\n', 10],
  ['session:\n  quality_verifier_frequency: 7\n  other: [1, 2]\n', 7],
  ['session:\n  quality_verifier_frequency: [7]\n', 10],
  ['session:\n  quality_verifier_frequency: null\n', 10],
])('QV-39 only `session` of the file is read: %j', (text, frequency) => {
  expect(read({ ASSAY_CONFIG: write(text) }).frequency).toBe(frequency);
});

test.each([
  ['is no YAML', () => write('session: [1\n')],
  ['has another `session`', () => write('session: 7\n')],
  ['is a list', () => write('- 1\n')],
  ['is not there', () => join(folder, 'missing.yaml')],
  ['is a folder', () => folder],
])('QV-39 a file that %s is an error naming it', (_why, make) => {
  const path = make();
  expect(() => read({ ASSAY_CONFIG: path })).toThrow(path);
});

test('the gateway’s data folder and its replica name come from the environment', () => {
  expect(readEnv(base)).toMatchObject({
    dataDir: null,
    upstreams: { openai: null, anthropic: null },
  });
  expect(readEnv(base).replica).toMatch(/^[A-Za-z0-9._-]+-4318$/);
  const set = {
    ASSAY_DATA_DIR: folder,
    ASSAY_REPLICA: 'edge-1',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  };
  expect(readEnv({ ...base, ...set })).toMatchObject({
    dataDir: folder,
    replica: 'edge-1',
    upstreams: { openai: 'http://127.0.0.1:9/v1' },
  });
  expect(() => readEnv({ ...base, ASSAY_REPLICA: '../edge' })).toThrow('ASSAY_REPLICA');
});
