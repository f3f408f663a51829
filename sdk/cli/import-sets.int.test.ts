import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import { type Cli, type CliRun, createCli } from '../../testing/run-cli';
import { createStack, long, type Stack } from '../../testing/stack';
import { timeFactor } from '../../testing/time-factor';

/**
 * `assay import` of whole files (in the short form, of their first rows) into a real instance: bad
 * rows are reported, and a second import changes nothing.
 */

const data = process.env.ASSAY_DATA ?? '../shared/data';
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

interface Count {
  readonly turns: number;
  readonly verdicts: number;
}

async function count(): Promise<Count> {
  await stack.drained();
  const [row] = await stack.sql<
    Count[]
  >`select (select count(*)::int from turns) as turns, (select count(*)::int from verdicts) as verdicts`;
  return row ?? { turns: 0, verdicts: 0 };
}

const resultOf = (run: CliRun): Record<string, number> =>
  (run.json() as { files: { result: Record<string, number> }[] }).files[0]?.result ?? {};

/** A copy with the first `count` rows; in the long form the file itself; null if it is absent. */
function firstRows(name: string, count: number): string | null {
  const file = resolve(data, `${name}.jsonl`);
  if (!existsSync(file)) {
    process.stderr.write(`skipped: shared data not present (${name})\n`);
    return null;
  }
  if (long) return file;
  const copy = join(cli.folder, `${name}.jsonl`);
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, count);
  writeFileSync(copy, `${lines.join('\n')}\n`);
  return copy;
}

test.each([
  ['integrity-quintd-openweather', 'quintd', long ? 192 : 32],
  ['integrity-quintd-owid', 'quintd', long ? 192 : 32],
  ['integrity-quintd-wikidata', 'quintd', long ? 204 : 32],
  ['integrity-summedits', 'summedits', long ? 642 : 240],
] as const)(
  'X-10 %s is imported by its preset, %s: %i turns; a second import changes nothing',
  async (name, preset, turns) => {
    const file = firstRows(name, 8);
    if (file === null) return;
    const before = await count();
    const args = ['import', file, '--preset', preset, '--json'];
    const first = await cli.run(args);
    expect({ code: first.code, err: withoutProgress(first.err) }).toEqual({ code: 0, err: '' });
    expect(resultOf(first)).toMatchObject({ 'turns.accepted': turns, 'turns.duplicates': 0 });
    const after = await count();
    expect(after).toEqual({ turns: before.turns + turns, verdicts: before.verdicts + turns });
    const second = await cli.run(args);
    expect(second.code).toBe(0);
    expect(resultOf(second)).toMatchObject({
      'turns.accepted': 0,
      'turns.duplicates': turns,
      'turns.conflicts': 0,
    });
    expect(await count()).toEqual(after);
  },
);

/** On a busy machine the import takes long enough to report progress. */
const withoutProgress = (err: string): string => err.replaceAll(/^\S+ [\d,]+ rows, \d+%.*\n/gm, '');

test('both sets of agent runs are imported as pipelines with their outcomes, together in under a minute', async () => {
  const tau = firstRows('agent-tau-airline', 24);
  const intercode = firstRows('agent-intercode-sql', 24);
  if (tau === null || intercode === null) return;
  const sets = [
    {
      file: tau,
      preset: 'tau-airline',
      pipelines: long ? 104 : 24,
      successes: long ? 41 : 9,
    },
    {
      file: intercode,
      preset: 'intercode-sql',
      pipelines: long ? 156 : 24,
      successes: long ? 110 : 15,
    },
  ];
  const started = performance.now();
  for (const { file, preset, pipelines } of sets) {
    const run = await cli.run(['import', file, '--preset', preset, '--json']);
    expect({ code: run.code, err: withoutProgress(run.err) }).toEqual({ code: 0, err: '' });
    // A label of a request also labels its answer, the last turn.
    expect(resultOf(run)).toMatchObject({
      'pipelines.accepted': pipelines,
      'pipelines.duplicates': 0,
      'labels.accepted': 2 * pipelines,
    });
  }
  expect(performance.now() - started).toBeLessThan(timeFactor * 60_000);
  for (const { file, preset, pipelines, successes } of sets) {
    const again = await cli.run(['import', file, '--preset', preset, '--json']);
    expect(resultOf(again)).toMatchObject({
      'turns.accepted': 0,
      'pipelines.accepted': 0,
      'pipelines.duplicates': pipelines,
    });
    const [stored] = await stack.sql`
      select count(*)::int as pipelines, count(l.id)::int as labelled, (count(*) filter (where l.success))::int as successes,
        (count(*) filter (where length(p.query) > 10 and p.origin = 'import'))::int as described,
        (count(*) filter (where exists (select from turns t where t.project_id = p.project_id and t.session_id = p.id)))::int as spoken
      from pipelines p left join labels l on l.project_id = p.project_id and l.subject_id = p.id
      where p.id like ${preset === 'tau-airline' ? 'tau%' : 'intercode%'}`;
    expect(stored).toEqual({
      pipelines,
      labelled: pipelines,
      successes,
      described: pipelines,
      spoken: pipelines,
    });
  }
  const [order] = await stack.sql`
    select jsonb_agg(id order by length(id), id) as turns, max(metadata) as hardness from (
      select id, payload::jsonb -> 'metadata' ->> 'hardness' as metadata from turns where session_id = 'intercode-sql/176'
    ) as t`;
  expect(order).toEqual({
    turns: Array.from({ length: 10 }, (_, at) => `intercode-sql/176/${at}`),
    hardness: 'easy',
  });
});

test('X-10 texts of another file replace their names in rows; an unknown name refuses its row', async () => {
  const rows = [
    { id: 'ref/1', messages: [{ role: 'system', content_ref: 'policy' }, ...asked] },
    { id: 'ref/2', messages: [{ role: 'system', content_ref: 'gone' }, ...asked] },
  ];
  writeFileSync(join(cli.folder, 'talks.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  writeFileSync(
    join(cli.folder, 'texts.jsonl'),
    `${JSON.stringify({ id: 'policy', content: 'Refund within 24 hours.' })}\n`,
  );
  writeFileSync(join(cli.folder, 'talks.json'), '{"id":"id","messages":"messages"}');
  const run = await cli.run([
    'import',
    'talks.jsonl',
    '--mapping',
    'talks.json',
    '--references',
    'texts.jsonl',
  ]);
  expect({ code: run.code, err: withoutProgress(run.err) }).toEqual({
    code: 3,
    err: 'talks.jsonl:2: `content_ref` names "gone", which "references.texts" of the mapping lacks; add it there.\n',
  });
  const stored =
    await stack.sql`select payload from turns where id like 'ref/%' or session_id like 'ref/%'`;
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored[0])).toContain('Refund within 24 hours.');
});

const asked = [
  { role: 'user', content: 'May I have my money back?' },
  { role: 'assistant', content: 'Yes, within 24 hours.' },
];

test('X-10 a CSV with other columns: each bad row is reported with its line of the file, and a second import changes nothing', async () => {
  // 18 MB are sent in two parts, each with a bad row.
  const filler = 'x'.repeat(300_000);
  const rows = Array.from({ length: 60 }, (_, at) =>
    at === 10 || at === 58 ? `${at};zu viel;a;b;c\n` : `${at};"Zeile\n${at} %";${filler}\n`,
  );
  writeFileSync(join(cli.folder, 'antworten.csv'), `Nummer;Antwort;Anhang\n${rows.join('')}`);
  writeFileSync(
    join(cli.folder, 'spalten.json'),
    '{"format":"csv","delimiter":";","id":"Nummer","output":"Antwort"}',
  );
  const lineOf = (row: number): number => 2 + rows.slice(0, row).join('').split('\n').length - 1;
  const args = ['import', 'antworten.csv', '--mapping', 'spalten.json'];
  const first = await cli.run(args);
  expect(first.code).toBe(3);
  expect(withoutProgress(first.err).trimEnd().split('\n')).toEqual([
    expect.stringMatching(`^antworten.csv:${lineOf(10)}: `),
    expect.stringMatching(`^antworten.csv:${lineOf(58)}: `),
  ]);
  expect(first.out).toBe(
    'antworten.csv: done, 60 rows, 2 refused, 58 turns accepted, 0 labels accepted, 0 scores accepted\n',
  );
  const after = await count();
  expect(await cli.run(args)).toMatchObject({
    code: 3,
    out: expect.stringContaining('58 turns duplicates'),
  });
  expect(await count()).toEqual(after);
});

test('X-10 votes of several people and a judge in two orders are imported by one mapping; a second import changes nothing', async () => {
  const row = (id: string, winner: string | null) => ({
    id,
    text: 'One of two.',
    votes: { ann: 1, bob: 1, cy: 2 },
    said: {
      'as-is': { win: winner, why: 'It is shorter.' },
      swapped: { win: '1', why: 'It is right.' },
    },
  });
  writeFileSync(
    join(cli.folder, 'pairs.jsonl'),
    [row('p-1', '2'), row('p-2', null)].map((each) => JSON.stringify(each)).join('\n'),
  );
  const mapping = {
    id: 'id',
    output: 'text',
    labels: [{ each: 'votes', value: '@@', rater: { key: true }, as: 'category' }],
    judgements: [
      {
        each: 'said',
        judge: { const: 'judge' },
        value: '@@.win',
        reason: '@@.why',
        as: 'category',
        presentation: { key: true },
        when_empty: 'no_verdict',
      },
    ],
  };
  writeFileSync(join(cli.folder, 'pairs.json'), JSON.stringify(mapping));
  const args = ['import', 'pairs.jsonl', '--mapping', 'pairs.json', '--json'];
  const first = await cli.run(args);
  expect({ code: first.code, err: withoutProgress(first.err) }).toEqual({ code: 0, err: '' });
  expect(resultOf(first)).toMatchObject({
    'labels.accepted': 6,
    'scores.accepted': 4,
    'scores.unparseable': 1,
  });
  const again = await cli.run(args);
  expect(resultOf(again)).toMatchObject({
    'labels.accepted': 0,
    'labels.duplicates': 6,
    'scores.accepted': 0,
    'scores.duplicates': 4,
  });
});
