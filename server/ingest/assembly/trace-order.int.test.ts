import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createTestProject, createTestRuntime, drainWork } from '../../../testing/database';
import { reportFigure } from '../../../testing/figures';
import { clean, closeLedger } from '../../../testing/ledger';
import {
  exportOf,
  nsAfter,
  type OtlpFormat,
  otlpFormats,
  type OtlpSpan,
  plainSpan,
  sampleSpans,
  sampleTurnId,
  spanIdOf,
  text,
  traceIdOf,
} from '../../../testing/otlp';
import { createRandom } from '../../../testing/seed';
import { createStack, long, type Stack } from '../../../testing/stack';
import type { ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { getSpan } from '../read/get-span';
import { listSpans } from '../read/list-spans';
import { ingestExport } from '../intake/ingest-export';

/**
 * Spans in any order, split into any requests, repeated any number of times and drained at any
 * moment result in one state (reliability.md 4.8).
 */

let stack: Stack;
let second: Runtime;
let project: ProjectCtx;

beforeAll(async () => {
  // The tests never wait, but age rows by the database's clock.
  stack = await createStack(inject('databaseUrl'), { ASSAY_TRACE_IDLE_MS: '0' });
  second = createTestRuntime(stack.database.url, { ASSAY_TRACE_IDLE_MS: '0' });
});

beforeEach(async () => {
  project = await createTestProject(stack.runtime);
});

afterAll(async () => {
  await second.close();
  await stack.close();
});

async function take(
  spans: readonly OtlpSpan[],
  format: OtlpFormat = 'json',
  into = project,
  by = stack.runtime,
): Promise<void> {
  const taken = await ingestExport(into, by.segments, {
    body: exportOf(format, spans),
    packed: null,
    format,
    validUtf8: true,
  });
  expect(taken).toEqual({ spans: spans.length, rejected: 0, message: null });
}

/** The resulting state of a trace, except counts of attempts and times. */
async function stateOf({ projectId }: ProjectCtx, label: string): Promise<string> {
  const [row] = await stack.sql<{ state: string }[]>`
    select jsonb_build_object(
      'trace', (select to_jsonb(c) - 'project_id' - 'revision' - 'received_at' - 'last_received_at' - 'assembled_at' from traces c
        where c.project_id = ${projectId} and c.id = ${traceIdOf(label)}),
      'turns', (select jsonb_agg(to_jsonb(t) - 'project_id' - 'revision' - 'received_at' order by id) from turns t
        where t.project_id = ${projectId} and t.trace_id = ${traceIdOf(label)} and not t.superseded),
      'scores', (select jsonb_agg(to_jsonb(s) - 'project_id' - 'created_at' order by id) from foreign_scores s
        where s.project_id = ${projectId} and s.trace_id = ${traceIdOf(label)}))::text as state`;
  return row?.state ?? '';
}

/** Every current turn has one verdict of its revision; the counters match the rows. */
async function expectCleanBook(of = project): Promise<number> {
  const ids = (
    await stack.sql<{ id: string }[]>`select id from turns where project_id = ${of.projectId}`
  ).map((row) => row.id);
  const sent = new Set(ids);
  const balance = await closeLedger(stack.sql, of.projectId, { sent, acked: sent, faults: [] });
  expect(balance).toMatchObject(clean);
  expect(
    await stack.sql`select subject_id, reason from work where project_id = ${of.projectId}`,
  ).toEqual([]);
  return balance.verdicts;
}

const assistant = (
  content: string,
  parts: readonly object[] = [{ type: 'text', content }],
): string => JSON.stringify([{ role: 'assistant', parts, finish_reason: 'stop' }]);

/**
 * An agent that calls a model and a tool, retrieves, answers twice and is scored by another tool;
 * two spans are first sent unfinished.
 */
function richTrace(label: string): OtlpSpan[] {
  const chat = (
    place: number,
    parent: number,
    output: string,
    parts?: readonly object[],
  ): OtlpSpan => ({
    ...plainSpan(label, place, [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.provider.name', 'openai'),
      text('gen_ai.response.model', place === 6 ? 'gpt-4o-mini' : 'gpt-4o'),
      text('gen_ai.response.id', `r-${place}`),
      { key: 'gen_ai.usage.output_tokens', value: { intValue: 10 + place } },
      text(
        'gen_ai.input.messages',
        '[{"role":"user","parts":[{"type":"text","content":"How full is web-1?"}]}]',
      ),
      text('gen_ai.output.messages', assistant(output, parts)),
    ]),
    parentSpanId: spanIdOf(parent),
  });
  const root = plainSpan(label, 0, [
    text('gen_ai.operation.name', 'invoke_agent'),
    text('session.id', `s-${label}`),
    text('user.id', 'u-1'),
  ]);
  const tool = plainSpan(label, 3, [
    text('gen_ai.operation.name', 'execute_tool'),
    text('gen_ai.tool.name', 'disk'),
    text('gen_ai.tool.call.id', 'call_1'),
    text('gen_ai.tool.call.result', '{"rows":[{"host":"web-1","disk_pct":91.4}]}'),
  ]);
  const measured = {
    ...plainSpan(label, 7),
    parentSpanId: spanIdOf(4),
    events: [
      {
        timeUnixNano: nsAfter(80),
        name: 'gen_ai.evaluation.result',
        attributes: [
          text('gen_ai.evaluation.name', 'helpfulness'),
          { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0.8 } },
        ],
      },
    ],
  };
  const whole = [
    root,
    { ...plainSpan(label, 1), parentSpanId: spanIdOf(0) },
    chat(2, 1, '', [
      { type: 'tool_call', id: 'call_1', name: 'disk', arguments: { host: 'web-1' } },
    ]),
    { ...tool, parentSpanId: spanIdOf(1) },
    chat(4, 1, 'The disk of web-1 is at 91.4% and 77 GB are free.'),
    {
      ...plainSpan(label, 5),
      parentSpanId: spanIdOf(0),
      status: { code: 2, message: 'no answer' },
    },
    chat(6, 5, 'It was 12% a year ago.'),
    measured,
  ];
  const started = [root, ...whole.slice(4, 5)].map((span) => ({
    ...span,
    endTimeUnixNano: '0',
    attributes: span.attributes.slice(0, 2),
  }));
  return [...whole, ...started];
}

test(
  'R-73 the spans and updates of a trace in any order, split, repeated, in either encoding, drained at any moment: one state',
  async () => {
    const random = createRandom('R-73 traces');
    const runs = long ? 300 : 25;
    const states = new Set<string>();
    let requests = 0;
    for (let run = 0; run < runs; run++) {
      const own = await createTestProject(stack.runtime);
      const spans = random.shuffle(richTrace('rich'));
      spans.push(...random.shuffle(spans).slice(0, random.between(0, 4)));
      while (spans.length > 0) {
        requests++;
        const part = spans.splice(0, random.between(1, random.next() < 0.2 ? 10 : 4));
        await take(
          part,
          otlpFormats[random.between(0, 1)],
          own,
          random.next() < 0.5 ? second : stack.runtime,
        );
        if (random.next() < 0.4) await drainWork(random.next() < 0.5 ? second : stack.runtime);
      }
      await drainWork(stack.runtime);
      states.add(await stateOf(own, 'rich'));
      await expectCleanBook(own);
    }
    interface State {
      readonly trace: object;
      readonly turns: readonly unknown[];
      readonly scores: readonly object[];
    }
    const [state, ...others] = [...states].map((text) => JSON.parse(text) as State);
    for (const other of others) expect(other).toEqual(state);
    expect(state?.trace).toMatchObject({
      spans: 8,
      errors: 1,
      turns: 2,
      has_root: true,
      flags: ['conflict'],
      session_id: 's-rich',
      output_tokens: 42,
    });
    expect(state?.turns).toHaveLength(2);
    expect(state?.scores).toMatchObject([
      { name: 'helpfulness', turn_id: `${traceIdOf('rich')}-${spanIdOf(4)}` },
    ]);
    reportFigure('R-73 traces', { runs, requests, states: states.size, seed: random.seed });
  },
  long ? 180_000 : 300_000,
);

test('R-74 100 spans in two versions, either first or both at once: one merge, both kept, the conflict reported', async () => {
  const versions = ['It is at 91.4%.', 'It is at 12%.'].map((answer) =>
    Array.from({ length: 10 }, (_, i) => sampleSpans(`r74-${i}`, 10, answer)).flat(),
  );
  const [one = [], two = []] = versions;
  const statesByOrder: string[][] = [];
  for (const order of ['one first', 'two first', 'at once', 'in one request']) {
    const own = await createTestProject(stack.runtime);
    if (order === 'one first') for (const spans of [one, two]) await take(spans, 'json', own);
    if (order === 'two first') {
      await take(two, 'proto', own);
      await drainWork(stack.runtime);
      await take(one, 'json', own);
    }
    if (order === 'at once')
      await Promise.all([take(one, 'json', own), take(two, 'proto', own, second)]);
    if (order === 'in one request') await take([...two, ...one], 'proto', own);
    await drainWork(stack.runtime);
    expect(await expectCleanBook(own)).toBe(10);
    statesByOrder.push(
      await Promise.all(Array.from({ length: 10 }, (_, i) => stateOf(own, `r74-${i}`))),
    );
    const span = await getSpan(own, traceIdOf('r74-3'), spanIdOf(9));
    expect([span.versions, span.flags]).toEqual([2, ['conflict']]);
    expect((await getSpan(own, traceIdOf('r74-3'), spanIdOf(2))).versions).toBe(1);
    expect(
      (JSON.parse(statesByOrder.at(-1)?.[3] ?? '{}') as { trace: unknown }).trace,
    ).toMatchObject({
      spans: 10,
      turns: 1,
      flags: ['conflict'],
    });
  }
  expect(new Set(statesByOrder.map((states) => states.join('\n'))).size).toBe(1);
});

test('R-75 the same spans twice in one batch, equal and differing, merge before anything is stored', async () => {
  const batches = long ? 100 : 15;
  for (let batch = 0; batch < batches; batch++) {
    const spans = sampleSpans(`r75-${batch}`, 8);
    const equal = spans.slice(0, 5);
    const other = spans
      .slice(1, 6)
      .map((span) => ({ ...span, name: `${span.name} again`, endTimeUnixNano: nsAfter(500) }));
    await take([...spans, ...equal, ...(batch % 2 === 0 ? [] : other)], otlpFormats[batch % 2]);
  }
  expect(await drainWork(stack.runtime)).toBe(batches);
  expect(await expectCleanBook()).toBe(batches);
  for (const batch of [0, 1]) {
    expect((await listSpans(project, traceIdOf(`r75-${batch}`))).rows).toHaveLength(8);
    expect(JSON.parse(await stateOf(project, `r75-${batch}`))).toMatchObject({
      trace: { spans: 8, flags: batch === 0 ? [] : ['conflict'] },
    });
  }
  expect((await getSpan(project, traceIdOf('r75-1'), spanIdOf(1))).name).toBe('step 1 again');
});

test('R-71 the same batches ten times at once by two processes, and again later: one copy, one verdict, counted once', async () => {
  const batches = long ? 100 : 12;
  const spansOf = (batch: number): OtlpSpan[] =>
    [0, 1, 2].flatMap((trace) => sampleSpans(`r71-${batch}-${trace}`, 5));
  for (let batch = 0; batch < batches; batch++) {
    await Promise.all(
      Array.from({ length: 10 }, (_, copy) =>
        // Every other copy has the opposite order of traces: no row order may deadlock two commits.
        take(
          copy % 4 < 2 ? spansOf(batch) : groupsReversed(spansOf(batch), 5),
          'json',
          project,
          copy % 2 === 0 ? second : stack.runtime,
        ),
      ),
    );
    if (batch % 3 === 0) await drainWork(stack.runtime);
  }
  await drainWork(stack.runtime);
  await stack.sql`update traces set received_at = received_at - interval '1 day', last_received_at = last_received_at - interval '1 day'`;
  const before = await Promise.all([0, 1, 2].map((trace) => stateOf(project, `r71-0-${trace}`)));
  for (let batch = 0; batch < batches; batch++) await take(spansOf(batch), 'json', project, second);
  expect(await drainWork(stack.runtime)).toBe(0);
  expect(await Promise.all([0, 1, 2].map((trace) => stateOf(project, `r71-0-${trace}`)))).toEqual(
    before,
  );
  expect(await expectCleanBook()).toBe(batches * 3);
  const { projectId } = project;
  const [row] = await stack.sql<
    { segments: number; stored: number; spans: number; turns: number; revisions: number }[]
  >`
      select (select count(*)::int from trace_segments where project_id = ${projectId}) as segments,
        (select sum(spans)::int from trace_segments where project_id = ${projectId}) as stored,
        (select sum(spans)::int from intake_rollups where project_id = ${projectId}) as spans,
        (select sum(turns)::int from intake_rollups where project_id = ${projectId}) as turns,
        (select max(revision) from turns where project_id = ${projectId}) as revisions`;
  const spans = batches * 15;
  expect(row).toEqual({
    segments: batches * 3,
    stored: spans,
    spans,
    turns: batches * 3,
    revisions: 1,
  });
  reportFigure('R-71 traces', {
    batches,
    'times each': 11,
    spans,
    copies: row?.stored ?? 0,
    verdicts: batches * 3,
  });
});

function groupsReversed(spans: readonly OtlpSpan[], size: number): OtlpSpan[] {
  const groups = Array.from({ length: spans.length / size }, (_, i) =>
    spans.slice(i * size, (i + 1) * size),
  );
  return groups.reverse().flat();
}

test('R-71 R-75 the same trace in two projects is two traces, and neither sees the other’s spans', async () => {
  const other = await createTestProject(stack.runtime);
  await Promise.all([
    take(sampleSpans('shared', 5), 'json', project),
    take(sampleSpans('shared', 9), 'proto', other, second),
  ]);
  await drainWork(stack.runtime);
  expect((await listSpans(project, traceIdOf('shared'))).rows).toHaveLength(5);
  expect((await listSpans(other, traceIdOf('shared'))).rows).toHaveLength(9);
  const rows = await stack.sql`select id from turns where project_id = ${project.projectId}`;
  expect(rows.map((row) => row.id)).toEqual([sampleTurnId('shared', 5)]);
});
