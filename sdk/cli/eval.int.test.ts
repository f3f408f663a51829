import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import { type Cli, createCli } from '../../testing/run-cli';
import { createStack, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';

/** `assay eval run` as a process against a real edge and worker. */

let stack: Stack;
let edge: Edge;
let cli: Cli;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
  await startWorker(stack.variables);
  cli = await createCli({ ASSAY_URL: edge.url, ASSAY_API_KEY: stack.key });
  write('items.jsonl', items.map((item) => JSON.stringify(item)).join('\n'));
  write(
    'answer.mjs',
    'export default ({ input, reference }) => (input.includes("three") ? Promise.reject(new Error("no three")) : `${input} ${String(reference)}`);',
  );
});

afterAll(async () => {
  cli.close();
  await stack.close();
});

const items = ['one', 'two', 'three'].map((word) => ({
  id: word,
  input: `Say ${word}`,
  reference: word,
}));
const write = (name: string, text: string): void => writeFileSync(join(cli.folder, name), text);
const read = (name: string): string => readFileSync(join(cli.folder, name), 'utf8');

/** A command that repeats the input; its file has the given members, too. */
const repeating = (more = ''): string => `name: Words
dataset: words
items: items.jsonl
target:
  command: node -e "let t='';process.stdin.on('data',d=>t+=d).on('end',()=>console.log(JSON.parse(t).input))"
verifiers: [words]
${more}`;

/** The same file with another target. */
const withTarget = (target: string, more = ''): string =>
  repeating(more).replace(/ {2}command:.*/, () => `  ${target}`);

beforeAll(async () => {
  const body = { kind: 'checks', checks: [{ check: 'contains', value: 'Say' }] };
  await fetch(`${edge.url}/v1/verifiers/words`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
});

describe('online.md 4: assay eval run', () => {
  test('a command answers each item, and the reports show the decision of the gate', async () => {
    write('eval.yaml', repeating('gate: {min_pass_rate: {words: {at_least: 0.9, by: value}}}\n'));
    const run = await cli.run([
      'eval',
      'run',
      'eval.yaml',
      '--branch',
      'main',
      '--junit',
      'eval.xml',
      '--markdown',
      'eval.md',
    ]);
    expect([run.code, run.err]).toEqual([0, '']);
    expect(run.out).toContain('words');
    expect(run.out).toContain('(3/3)');
    expect(run.out).toContain('gate passed');
    expect(read('eval.md')).toMatch(/### Assay: Words – gate passed[\s\S]*\| words \| 100%/);
    expect(read('eval.xml')).toContain('<testcase classname="assay" name="gate"/>');
  });

  test('a module that fails on an item fails the gate, and never sees a reference', async () => {
    write(
      'module.yaml',
      repeating('gate: {min_pass_rate: {words: {at_least: 0.9, by: value}}}\n').replace(
        / {2}command:.*/,
        '  module: ./answer.mjs',
      ),
    );
    const run = await cli.run(['eval', 'run', 'module.yaml', '--json']);
    expect(run.code).toBe(1);
    const result = run.json();
    expect(result).toMatchObject({
      gate: { passed: false },
      experiment: { counts: { answered: 2, failed: 1 }, dataset: 'words@1' },
    });
    const [turn] = await stack.sql<{ payload: string }[]>`
      select payload from turns where id = ${`${String((result.experiment as { id: string }).id)}-1`}`;
    expect(JSON.parse(turn?.payload ?? '')).toMatchObject({ output: 'Say one undefined' });
  });

  test.each([
    ['verifers: [a]\n', 'did you mean "verifiers"'],
    ['concurrency: 0\n', 'concurrency: must be a whole number from 1 to 64'],
    ['gate: 7\n', 'gate: must be an object'],
    ['gate: {no_regression_against: main}\n', 'no experiment "main" in this project; give the id'],
    ['a: [\n', 'line 8'],
  ])('a file that cannot be used is refused with its fault: %j', async (more, fault) => {
    write('wrong.yaml', repeating(more));
    const run = await cli.run(['eval', 'run', 'wrong.yaml']);
    expect([run.code, run.err]).toEqual([4, expect.stringContaining(fault)]);
  });

  test('without a gate a run passes; a dataset that does not exist is an error', async () => {
    write('plain.yaml', repeating());
    expect((await cli.run(['eval', 'run', 'plain.yaml'])).code).toBe(0);
    write(
      'none.yaml',
      repeating().replace('items: items.jsonl\n', '').replace('words\n', 'none\n'),
    );
    const run = await cli.run(['eval', 'run', 'none.yaml']);
    expect([run.code, run.err]).toEqual([4, expect.stringContaining('404')]);
  });

  test('if no row is answered, the run fails, and all reports name the errors', async () => {
    write('failed.yaml', withTarget("command: 'echo no key >&2; exit 3'", 'repetitions: 2\n'));
    const reports = ['--junit', 'failed.xml', '--markdown', 'failed.md'];
    const run = await cli.run(['eval', 'run', 'failed.yaml', ...reports]);
    expect(run.code).toBe(1);
    expect(run.out).toMatch(
      /6 of 6 rows failed: item \w+, repetition 1: exit code 3: no key; item .*; and 3 more\nno row was answered, no gate,/,
    );
    expect(read('failed.md')).toMatch(/- ❌ 6 of 6 rows failed&#58; item \w+, repetition 1/);
    expect(read('failed.xml')).toMatch(
      /errors="6"[\s\S]*classname="target" name="one, repetition 2"><error message="exit code 3: no key"/,
    );
    write('unreachable.yaml', withTarget('url: http://127.0.0.1:1'));
    const unreachable = await cli.run(['eval', 'run', 'unreachable.yaml', '--json']);
    expect(unreachable.code).toBe(1);
    const error = { verifier: null, outcome: 'error', reason: expect.stringContaining('fetch') };
    expect(unreachable.json().failures).toMatchObject([
      { ...error, item: 'one', url: expect.stringContaining('/experiments/') },
      { ...error, item: 'two' },
      { ...error, item: 'three' },
    ]);
  });

  test('a failed row keeps the message of its command; a failed verdict names its item', async () => {
    write(
      'rows.mjs',
      `const { id } = JSON.parse(await new Promise((resolve) => {
  let text = '';
  process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
}));
if (id === 'one') throw new Error('no key for the model');
if (id === 'three') console.log('Other');
`,
    );
    write('rows.yaml', withTarget(`command: ${process.execPath} rows.mjs`));
    const run = await cli.run(['eval', 'run', 'rows.yaml', '--json', '--junit', 'rows.xml']);
    expect(run.code).toBe(0);
    expect(run.json().failures).toMatchObject([
      { item: 'one', reason: expect.stringMatching(/^exit code 1: [^]*no key for the model/) },
      { item: 'two', reason: 'the command printed nothing' },
      { verifier: 'words@1', item: 'three', outcome: 'failed' },
    ]);
    expect(read('rows.xml')).toContain('classname="words@1" name="three"><failure');
  });

  test('an output that is an explicit empty text is an answer', async () => {
    write('empty.yaml', withTarget(`command: echo '""'`));
    const run = await cli.run(['eval', 'run', 'empty.yaml', '--json']);
    expect(run.json()).toMatchObject({ experiment: { counts: { answered: 3, failed: 0 } } });
  });

  test.each([
    ['empty.csv', '', 'has no items'],
    ['header.csv', 'id,input\n', 'has no items'],
    ['blank.jsonl', '\n \n', 'has no items'],
    ['other.csv', 'id,output\na,b\n', 'no column "input"'],
    ['broken.jsonl', '{"id":"a","input":1}\n\n{"id":"b","input":\n', 'broken.jsonl: line 3 has'],
    [
      'ids.csv',
      'id,input\na,\nb,\nc,\nd,\n',
      'ids.csv: 4 rejected: line 2, id "a": `input` .*; line 3, id "b": .*; and 1 more. Nothing was',
    ],
  ])('%s: nothing is stored', async (file, text, fault) => {
    write(file, text);
    write(
      'file.yaml',
      repeating().replace('items.jsonl', file).replace(': words\n', ': refused\n'),
    );
    const run = await cli.run(['eval', 'run', 'file.yaml']);
    expect([run.code, run.err]).toEqual([4, expect.stringMatching(fault)]);
    expect(await stack.sql`select slug from datasets where slug = 'refused'`).toEqual([]);
  });

  test('an interrupted run cancels its experiment', async () => {
    write(
      'slow.mjs',
      `import { writeFileSync } from 'node:fs';
export default () => { writeFileSync('called', ''); return new Promise(() => undefined); };`,
    );
    write(
      'slow.yaml',
      repeating()
        .replace(/ {2}command:.*/, '  module: ./slow.mjs')
        .replace('name: Words', 'name: Slow'),
    );
    const run = cli.start(['eval', 'run', 'slow.yaml']);
    const isCalled = (): Promise<true | null> =>
      Promise.resolve(existsSync(join(cli.folder, 'called')) || null);
    await until('the target is called', isCalled);
    run.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    const [row] = await stack.sql`select state from experiments where name = 'Slow'`;
    expect(row).toEqual({ state: 'cancelled' });
  });
});
