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

beforeAll(async () => {
  const body = { kind: 'checks', checks: [{ check: 'contains', value: 'Say' }] };
  await fetch(`${edge.url}/v1/verifiers/words`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
});

describe('online.md 4: assay eval run', () => {
  test('a command answers each item, and the reports say what the gate decided', async () => {
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
