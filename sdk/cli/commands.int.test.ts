import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import { type Cli, createCli } from '../../testing/run-cli';
import { createStack, sampleTurn, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';

/** `assay send`, `tail` and `gate` as processes against a real edge and worker. */

let stack: Stack;
let edge: Edge;
let cli: Cli;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
  await startWorker(stack.variables);
  cli = await createCli({ ASSAY_URL: edge.url, ASSAY_API_KEY: stack.key });
});

afterAll(async () => {
  cli.close();
  await stack.close();
});

const sound = (id: string, session: string): object =>
  sampleTurn(id, { output: 'The disk of web-1 is at 91.4%.', session_id: session });
const lines = (turns: readonly object[]): string =>
  turns.map((turn) => JSON.stringify(turn)).join('\n');
const payloadOf = async (id: string): Promise<string> => {
  const [row] = await stack.sql<
    { payload: string }[]
  >`select payload::text from turns where id = ${id}`;
  return row?.payload ?? '';
};

/** Sends a session's turns and waits for their verdicts: `passed` of them sourced, `failed` not. */
async function fill(session: string, passed: number, failed: number): Promise<void> {
  const turns = [
    ...Array.from({ length: passed }, (_, at) => sound(`${session}-p${at}`, session)),
    ...Array.from({ length: failed }, (_, at) =>
      sampleTurn(`${session}-f${at}`, { session_id: session }),
    ),
  ];
  expect(await cli.run(['send', '-'], lines(turns))).toMatchObject({ code: 0, err: '' });
  await stack.drained();
}

describe('assay send', () => {
  test('lines from standard input: good ones are stored, bad ones are reported with their line', async () => {
    const input = `${JSON.stringify(sampleTurn('s-1'))}\n{broken\n\n{"id":"s-2"}\n${JSON.stringify(sampleTurn('s-3'))}\n`;
    expect(await cli.run(['send', '-'], input)).toMatchObject({
      code: 3,
      out: 'accepted 2, duplicates 0, rejected 2\n',
      err: 'line 2: not valid JSON: column 2: a name in double quotes or `}` is missing (not_json)\nline 4: `output` is required unless `envelope` is set. (invalid)\n',
    });
    expect(await cli.run(['send', '-'], input)).toMatchObject({
      out: 'accepted 0, duplicates 2, rejected 2\n',
    });
  });

  test("a file by a path relative to the caller's folder; digits as they were written", async () => {
    writeFileSync(
      join(cli.folder, 'turns.json'),
      '{"turns":[\n{"id":"s-4","output":"91.40","metadata":{"n":1e400}}]}',
    );
    const run = await cli.run([
      'send',
      'turns.json',
      '--session',
      'nightly',
      '--model',
      'a/b',
      '--json',
    ]);
    expect(run.json()).toEqual({ accepted: 1, duplicates: 0, rejected: [], ids: ['s-4'] });
    expect(await payloadOf('s-4')).toBe(
      '{"session_id":"nightly","model":"a/b","id":"s-4","output":"91.40","metadata":{"n":1e400}}',
    );
  });

  test('1,200 turns without ids, in batches; each gets one id, and its verdict with --wait', async () => {
    const run = await cli.run(
      ['send', '-', '--json'],
      lines(Array.from({ length: 1200 }, () => ({ output: 'no figure' }))),
    );
    const { accepted, ids } = run.json() as { accepted: number; ids: string[] };
    expect([accepted, new Set(ids).size]).toEqual([1200, 1200]);
    const waited = await cli.run(['send', '-', '--wait', '20'], lines([sampleTurn('s-5')]));
    expect(waited.out).toMatch(
      /^accepted 1, duplicates 0, rejected 0\n✗ failed +integrity@1 +openai\/gpt-4o +1\/2 sourced +http\S+\/verdicts\/ver_\w+\n$/,
    );
  });

  test('an unknown key is one sentence, as JSON with --json', async () => {
    const args = ['send', '-', '--key', 'asy_nobodys'];
    expect(await cli.run(args, '{"output":"x"}')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^[^\n]+\(401 at \/v1\/turns; 0 turns were sent before\)\.\n$/),
    });
    const { err } = await cli.run([...args, '--json'], '{"output":"x"}');
    expect(JSON.parse(err)).toEqual({ error: { message: expect.stringContaining('401') } });
  });
});

describe('assay gate', () => {
  beforeAll(async () => {
    await fill('good', 40, 0);
    await fill('mixed', 18, 2);
    await fill('bad', 5, 15);
  });

  test.each([
    [
      'passes',
      ['--session', 'good', '--min-pass-rate', '0.9'],
      0,
      'gate passed: the 95% interval of the pass rate is 91.2% to 100%, 90% is needed',
    ],
    [
      'fails',
      ['--session', 'bad', '--min-pass-rate', '0.9'],
      1,
      'gate failed: the 95% interval of the pass rate is 11.1% to 46.8%, 90% is needed',
    ],
    [
      'cannot tell',
      ['--session', 'mixed', '--min-pass-rate', '0.9'],
      2,
      'not enough evidence either way',
    ],
    [
      'decides by the rate itself',
      ['--session', 'mixed', '--min-pass-rate', '0.9', '--point'],
      0,
      'gate passed: the pass rate is 90%, 90% is needed',
    ],
    [
      'has too few',
      ['--session', 'good', '--min-pass-rate', '0.9', '--min-n', '41'],
      2,
      '40 verdicts are too few: at least 41 are needed',
    ],
    [
      'knows no such session',
      ['--session', 'none', '--min-pass-rate', '0.9'],
      2,
      'there is no verdict that passed or failed',
    ],
    [
      'takes a verifier',
      ['--session', 'good', '--min-pass-rate', '0.9', '--verifier', 'task'],
      2,
      'there is no verdict',
    ],
    [
      'takes a time',
      ['--from', '2020-01-01', '--to', '2020-01-02', '--min-pass-rate', '0.9'],
      2,
      'there is no verdict',
    ],
  ])('%s', async (_name, args, code, sentence) => {
    const run = await cli.run(['gate', ...args]);
    expect(run).toMatchObject({ code });
    expect(run.out.trimEnd().split('\n').at(-1)).toContain(sentence);
  });

  test('names each failure with its reason, on the terminal, as JSON and as JUnit', async () => {
    const args = [
      'gate',
      '--session',
      'mixed',
      '--min-pass-rate',
      '0.99',
      '--min-n',
      '1',
      '--junit',
      'out.xml',
    ];
    const run = await cli.run(args);
    expect(run.out).toMatch(
      /^✗ failed [^\n]+\n {4}no source for 77\n✗ failed [^\n]+\n {4}no source for 77\n18 of 20 passed \(90%\)\ngate failed: /,
    );
    const xml = readFileSync(join(cli.folder, 'out.xml'), 'utf8');
    expect(xml.match(/<testcase classname="integrity@1"/g)).toHaveLength(20);
    expect(xml).toMatch(
      /name="mixed-f0" time="[\d.]+"><failure message="no source for 77" type="failed">http/,
    );
    expect((await cli.run([...args, '--json'])).json()).toMatchObject({
      result: 'failed',
      passed: 18,
      failed: 2,
      n: 20,
      pass_rate: 0.9,
      min_pass_rate: 0.99,
      pending: 0,
      failures: [{ outcome: 'failed', reason: 'no source for 77' }, {}],
    });
  });

  test('waits for turns by their ids, and is undecided while one has no verdict', async () => {
    const sent = await cli.run(
      ['send', '-', '--json'],
      lines([sound('w-1', 'w'), sound('w-2', 'w')]),
    );
    writeFileSync(join(cli.folder, 'sent.json'), sent.out);
    const args = ['gate', '--min-pass-rate', '0.3', '--min-n', '2', '--turns'];
    expect(await cli.run([...args, 'sent.json'])).toMatchObject({ code: 0 });
    writeFileSync(join(cli.folder, 'ids.txt'), 'w-1\nw-2\nnobodys\n');
    const run = await cli.run([...args, 'ids.txt', '--wait', '0.5']);
    expect(run).toMatchObject({
      code: 2,
      out: expect.stringContaining(
        'gate cannot tell: 1 turns have no verdict and are not waiting: nobodys',
      ),
    });
    await stack.sql`
      insert into turns (project_id, id, content_hash, payload, flags)
      values (${stack.project.projectId}, 'owed', 'h', '{"output":"x"}', '{}')`;
    await stack.sql`
      insert into work (project_id, id, subject_kind, subject_id, revision, verifier, state)
      values (${stack.project.projectId}, 'ver_owed', 'turn', 'owed', 1, 'integrity', 'quarantined')`;
    writeFileSync(join(cli.folder, 'ids.txt'), 'w-1\nw-2\nowed\n');
    const planned = await cli.run([...args, 'ids.txt', '--wait', '0.5']);
    expect(planned).toMatchObject({
      code: 2,
      out: expect.stringContaining('1 verdicts are still pending'),
    });
    await stack.sql`delete from work where id = 'ver_owed'`;
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'stopped by %s has neither passed nor failed',
    async (signal) => {
      const server = createServer();
      const asked = new Promise((resolve) => void server.once('request', resolve));
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const run = cli.start([
        'gate',
        '--session',
        's',
        '--min-pass-rate',
        '0.9',
        '--url',
        `http://127.0.0.1:${port}`,
      ]);
      await asked;
      run.kill(signal);
      expect(await run.ended).toMatchObject({
        code: 130,
        out: '',
        err: 'gate: interrupted, nothing is decided\n',
      });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  );

  test.each([
    [
      'no rate',
      ['--session', 'good'],
      '--min-pass-rate is required, from 0 to 1; see assay gate --help.',
    ],
    [
      'a rate in percent',
      ['--session', 'good', '--min-pass-rate', '95'],
      '--min-pass-rate must be a number from 0 to 1, not "95".',
    ],
    [
      'no selection',
      ['--min-pass-rate', '0.9'],
      '--session, --from with --to, or --turns is required to select verdicts; see assay gate --help.',
    ],
    [
      'a flag that it has not',
      ['--min-pass-rate', '0.9', '--sesion', 'x'],
      '--sesion is not an option; did you mean --session?',
    ],
    [
      'a report in no folder',
      ['--session', 'good', '--min-pass-rate', '0.9', '--junit', 'no/out.xml'],
      /^no\/out\.xml cannot be written/,
    ],
    [
      'a server that refuses',
      ['--session', 'good', '--min-pass-rate', '0.9', '--key', 'asy_x'],
      /\(401 at \/v1\/verifications\)\.$/,
    ],
  ])('is an error, exit code 4, with %s', async (_name, args, sentence) => {
    const { code, err } = await cli.run(['gate', ...args]);
    expect(code).toBe(4);
    expect(err.trimEnd().split('\n').at(-1)).toMatch(sentence);
  });
});

describe('assay tail', () => {
  test('shows the past, then each new verdict once, of the selected session', async () => {
    await fill('tail', 2, 1);
    const tail = cli.start([
      'tail',
      '--session',
      'tail',
      '--last',
      '2',
      '--interval',
      '0.1',
      '--json',
    ]);
    const shown = (): string[] =>
      tail
        .out()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => String((JSON.parse(line) as { turn_id: string }).turn_id));
    await until('the past', () => (shown().length === 2 ? true : null));
    await fill('other', 1, 0);
    for (let at = 0; at < 5; at++) {
      await cli.run(
        ['send', '-'],
        lines(Array.from({ length: 20 }, (_, of) => sound(`tail-${at}-${of}`, 'tail'))),
      );
    }
    await until('all of them', () => (shown().length >= 102 ? true : null));
    tail.kill('SIGINT');
    const { code, err } = await tail.ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const fresh = shown().slice(2);
    expect(fresh.toSorted()).toEqual(
      Array.from({ length: 100 }, (_, at) => `tail-${Math.floor(at / 20)}-${at % 20}`).toSorted(),
    );
  });

  test('one line per verdict for people; a wrong outcome is refused', async () => {
    const tail = cli.start(['tail', '--session', 'bad', '--outcome', 'failed', '--last', '1']);
    await until('a line', () => (tail.out().includes('\n') ? true : null));
    tail.kill('SIGTERM');
    expect((await tail.ended).out).toMatch(
      /^✗ failed +integrity@1 +openai\/gpt-4o +1\/2 sourced +http\S+\n$/,
    );
    expect(await cli.run(['tail', '--outcome', 'bad'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--outcome must be one of passed, failed'),
    });
  });
});
