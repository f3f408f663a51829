import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import { type Cli, createCli } from '../../testing/run-cli';
import { createStack, type Stack } from '../../testing/stack';

/** `assay verifiers` as a process against a real edge. */

let stack: Stack;
let edge: Edge;
let cli: Cli;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
  // It tries functions before they are stored.
  await startWorker(stack.variables);
  cli = await createCli({ ASSAY_URL: edge.url, ASSAY_API_KEY: stack.key });
});

afterAll(async () => {
  cli.close();
  await stack.close();
});

const write = (name: string, text: string): void => writeFileSync(join(cli.folder, name), text);
const run = (...args: readonly string[]) => cli.run(['verifiers', ...args]);

const judge = `slug: refund-policy
name: Refund policy
kind: judge
targets: [turn, trace]
mapping: {policy: "$.context[0].content"}
judge:
  model: openai:gpt-4o-mini?temperature=0
  output: {type: choice, choices: [{label: follows, value: 1}, {label: breaks, value: 0}]}
  prompt: |
    Policy: {{policy}}

    Answer: {{output}}
`;
const checks = `slug: refund-basics
kind: checks
checks:
  - &limit {check: latency_ms, max: 5000}
  - <<: *limit
    must_pass: true
  - {check: contains, value: refund}
thresholds: {pass_threshold: 0.9}
`;
const others = JSON.stringify([
  {
    slug: 'overlap',
    kind: 'function',
    function: {
      language: 'python',
      source: 'def evaluate(output):\n    # a comment: with "quotes"\n    return 1.0\n\n',
    },
  },
]);

test('apply creates, changes nothing again, and updates; diff and export follow', async () => {
  write('judges.yaml', `${judge}---\n${checks}`);
  write('others.json', others);
  const files = ['judges.yaml', 'others.json'];
  const before = await run('diff', ...files);
  expect(before).toMatchObject({ code: 1, err: '' });
  expect(before.out).toContain('--- refund-policy (not stored)\n+++ refund-policy (judges.yaml)\n');
  expect(before.out).toContain('+    Policy: {{policy}}\n');
  expect(await run('apply', ...files)).toMatchObject({
    code: 0,
    err: '',
    out: 'refund-policy: created v1, prompt v1 in production\nrefund-basics: created v1\noverlap: created v1\n',
  });
  expect(await run('apply', ...files)).toMatchObject({
    code: 0,
    out: 'refund-policy: unchanged (v1), prompt v1 in production\nrefund-basics: unchanged (v1)\noverlap: unchanged (v1)\n',
  });
  expect(await run('diff', ...files)).toMatchObject({ code: 0, out: '', err: '' });

  write('judges.yaml', `${judge.replace('Answer:', 'The answer:')}---\n${checks}`);
  const changed = await run('diff', 'judges.yaml');
  expect(changed).toMatchObject({ code: 1, err: '' });
  expect(changed.out).toMatch(
    /^--- refund-policy \(stored, v1\)\n\+\+\+ refund-policy \(judges\.yaml\)\n@@ [^\n]+\n[^]*\n- {4}Answer: \{\{output\}\}\n\+ {4}The answer: \{\{output\}\}\n/,
  );
  expect((await run('diff', 'judges.yaml', '--json')).json()).toMatchObject({
    data: [
      { slug: 'refund-policy', status: 'changed', version: 1 },
      { slug: 'refund-basics', status: 'unchanged', version: 1, diff: '' },
    ],
  });
  expect((await run('apply', 'judges.yaml', '--json')).json()).toEqual({
    data: [
      {
        slug: 'refund-policy',
        file: 'judges.yaml',
        status: 'updated',
        version: 2,
        prompt: { version: 2, state: 'production' },
        overridden: [],
      },
      {
        slug: 'refund-basics',
        file: 'judges.yaml',
        status: 'unchanged',
        version: 1,
        prompt: null,
        overridden: [],
      },
    ],
    errors: [],
  });
});

test('exported definitions are applied without a change, as YAML and as JSON', async () => {
  for (const flags of [[], ['--json']]) {
    const exported = await run('export', '--all', ...flags);
    expect(exported).toMatchObject({ code: 0, err: '' });
    const again = await cli.run(['verifiers', 'apply', '-'], exported.out);
    expect(again.out.trim().split('\n')).toHaveLength(3);
    expect(again.out.match(/: unchanged \(/g)).toHaveLength(3);
    expect(await cli.run(['verifiers', 'diff', '-'], exported.out)).toMatchObject({ code: 0 });
  }
  const one = await run('export', 'refund-policy');
  expect(one.out).toMatch(/^slug: refund-policy\nname: Refund policy\nkind: judge\n/);
  expect(one.out).toContain('  prompt: |\n    Policy: {{policy}}\n\n    The answer: {{output}}\n');
  const list = await run('list');
  expect(list.out).toMatch(/^integrity +built in +v\d+$/m);
  expect(list.out).toMatch(/^refund-policy +judge +v2 +Refund policy$/m);
});

test('a gate makes the prompt a draft, which diff and export compare with', async () => {
  const settings = (gate: string) =>
    fetch(`${edge.url}/v1/settings`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ promotion_gate: gate, reason: 'Test' }),
    });
  expect((await settings('require')).status).toBe(200);
  write('gated.yaml', judge.replace('Answer:', 'Reply:'));
  expect((await run('apply', 'gated.yaml')).out).toBe(
    'refund-policy: updated to v3, prompt v3 is a draft\n  The draft is not in use; promote it on the Prompts page\n',
  );
  expect(await run('diff', 'gated.yaml')).toMatchObject({
    code: 0,
    out: '',
    err: 'refund-policy: compared with prompt v3, a draft; v2 is in production\n',
  });
  const exported = await run('export', 'refund-policy');
  expect(exported.out).toMatch(/^# The prompt is v3, a draft; v2 is in production\.\nslug: /);
  expect((await cli.run(['verifiers', 'apply', '-'], exported.out)).out).toMatch(
    /: unchanged \(v3\)/,
  );
  expect((await settings('advise')).status).toBe(200);
});

test('tuned thresholds remain and are reported, until --reset-thresholds', async () => {
  const tuned = await fetch(`${edge.url}/v1/thresholds/refund-basics/pass_threshold`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ value: 0.7 }),
  });
  expect(tuned.status).toBe(200);
  write('checks.yaml', checks);
  expect((await run('apply', 'checks.yaml')).out).toBe(
    'refund-basics: unchanged (v1)\n  Overridden thresholds: pass_threshold (--reset-thresholds drops them)\n',
  );
  expect((await run('list')).out).toMatch(/^refund-basics .*overridden: pass_threshold$/m);
  expect((await run('apply', 'checks.yaml', '--reset-thresholds')).out).toBe(
    'refund-basics: unchanged (v1)\n',
  );
});

test('an archived verifier is a difference, and apply restores it', async () => {
  const archived = await fetch(`${edge.url}/v1/verifiers/refund-basics`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${stack.key}` },
  });
  expect(archived.status).toBe(200);
  expect(await run('diff', 'checks.yaml')).toMatchObject({
    code: 1,
    out: '',
    err: 'refund-basics is archived; apply restores it as the next version\n',
  });
  expect((await run('list')).out).toMatch(/^refund-basics .*archived$/m);
  expect((await run('export', '--all')).out).not.toContain('refund-basics');
  expect((await run('export', 'refund-basics')).out).toMatch(/^# Archived: apply restores/);
  expect((await run('apply', 'checks.yaml')).out).toBe('refund-basics: updated to v2\n');
});

test('a refused definition is reported with file, document, line and member; the others are stored', async () => {
  write(
    'mixed.yaml',
    `slug: good\nkind: checks\nchecks: [{check: pii}]\n---\nslug: bad\nkind: checks\ntreshold: 1\nchecks:\n  - {check: pii}\n  - {check: contians, value: x}\n`,
  );
  const applied = await run('apply', 'mixed.yaml');
  expect(applied).toMatchObject({ code: 3, out: 'good: created v1\n' });
  expect(applied.err).toMatch(/^mixed\.yaml, document 2, line 7: `treshold` .*thresholds.*$/m);
  expect(applied.err).toMatch(
    /^mixed\.yaml, document 2, line 10: `checks\[1\]\.check` .*contains.*$/m,
  );
  const compared = await run('diff', 'mixed.yaml');
  expect(compared).toMatchObject({ code: 4 });
  expect(compared.err).toContain('mixed.yaml, document 2, line 7: `treshold` ');
  write('bad.yaml', judge.replace('{{output}}', '{{outptu}}'));
  expect(await run('apply', 'bad.yaml', '--json')).toMatchObject({ code: 1, err: '' });
  expect((await run('apply', 'bad.yaml', '--json')).json()).toMatchObject({
    data: [],
    errors: [
      {
        file: 'bad.yaml',
        slug: 'refund-policy',
        line: 9,
        path: 'judge.prompt',
        message: expect.stringMatching(/^bad\.yaml, line 9: `judge.prompt` .*\{\{output\}\}/),
      },
    ],
  });
});

test('nothing is stored if one file is not valid', async () => {
  write('first.yaml', 'slug: never\nkind: checks\nchecks: [{check: pii}]\n');
  write('second.yaml', 'slug: x\n\tkind: checks\n');
  expect(await run('apply', 'first.yaml', 'second.yaml')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^second\.yaml, line \d: [^\n]+\n$/),
  });
  expect(await run('apply', 'first.yaml', 'first.yaml')).toMatchObject({
    code: 1,
    err: 'first.yaml, line 1: slug: "never" is defined in first.yaml, line 1 too; remove one of them.\n',
  });
  expect((await run('list')).out).not.toContain('never');
});

test.each([
  [[], 'A subcommand is required: list, apply, diff, export.', 1],
  [['aply', 'x'], '"aply" is not a subcommand; did you mean "apply"?', 1],
  [['apply'], /^A file is required: assay verifiers apply FILE/, 1],
  [['apply', 'none.yaml'], 'none.yaml does not exist; check the path.', 1],
  [['diff', 'none.yaml'], 'none.yaml does not exist; check the path.', 4],
  [['diff', '--al'], '--al is not an option; did you mean --all?', 4],
  [['diff', 'x', '--reset-thresholds'], '--reset-thresholds is an option of apply only.', 4],
  [['export'], 'A slug is required: assay verifiers export SLUG…, or --all.', 1],
  [['export', 'overlp'], 'There is no verifier "overlp"; did you mean "overlap"?', 1],
  [['export', 'task'], /^"task" is built in and has no definition/, 1],
  [['list', '--key', 'asy_x'], /\(401 at \/v1\/verifiers\)\.$/, 1],
] as const)('%j is an error', async (args, message, code) => {
  const { err, ...rest } = await run(...args);
  expect(rest).toMatchObject({ code, out: '' });
  expect(err.trimEnd()).toMatch(message);
});

test('the definition of a verifier of the release is refused', async () => {
  write('task.yaml', 'slug: task\nkind: task\n');
  const { code, err } = await run('apply', 'task.yaml');
  expect([code, err]).toEqual([1, expect.stringMatching(/^task\.yaml, line 1: /)]);
});
