import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { drainWork } from '../../../testing/database';
import { createCaller } from '../../../testing/call';
import { createStack, type Stack } from '../../../testing/stack';
import { SOME_CONTEXT } from '../../../testing/some-context';

let stack: Stack;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
});

afterAll(() => stack.close());

const text = (key: string, value: string): object => ({ key, value: { stringValue: value } });

test('S-114 spans that Assay sends about a verdict are shown and never judged', async () => {
  const call = createCaller(stack.runtime, stack.key);
  const traceId = 'a1'.repeat(16);
  const own = {
    traceId,
    spanId: 'b2'.repeat(8),
    name: 'evaluate integrity',
    startTimeUnixNano: '1767535200000000000',
    endTimeUnixNano: '1767535200000000000',
    attributes: [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.completion.0.content', 'It is 42 %.'),
    ],
    events: [
      {
        name: 'gen_ai.evaluation.result',
        attributes: [text('gen_ai.evaluation.name', 'integrity')],
      },
    ],
  };
  const scopeSpans = [{ scope: { name: 'assay' }, spans: [own] }];
  expect(await call('/v1/traces', { resourceSpans: [{ scopeSpans }] })).toMatchObject({
    status: 200,
    body: {},
  });
  expect(await drainWork(stack.runtime)).toBe(0);
  const [count] = await stack.sql`
    select (select count(*)::int from turns) as turns, (select count(*)::int from foreign_scores) as scores,
      (select count(*)::int from trace_segments) as segments, (select count(*)::int from work) as work`;
  expect(count).toEqual({ turns: 0, scores: 0, segments: 1, work: 0 });
  await call('/v1/traces', {
    resourceSpans: [
      { scopeSpans: [{ scope: { name: 'other' }, spans: [{ ...own, spanId: 'c3'.repeat(8) }] }] },
    ],
  });
  await stack.sql`update work set due_at = now()`;
  await drainWork(stack.runtime);
  const [others] = await stack.sql`
    select (select count(*)::int from turns) as turns,
      (select count(*)::int from decisions where reason = 'no_sources') as decided`;
  expect(others).toEqual({ turns: 1, decided: 1 });
});

test('X-10 a trace is read by its id in either case, with the measurements of other tools', async () => {
  const call = createCaller(stack.runtime, stack.key);
  const traceId = 'd4'.repeat(16);
  const score = [
    text('gen_ai.evaluation.name', 'tone'),
    text('gen_ai.evaluation.score.label', 'kind'),
  ];
  const span = {
    traceId,
    spanId: 'e5'.repeat(8),
    name: 'chat',
    startTimeUnixNano: '1767535200000000000',
    endTimeUnixNano: '1767535201000000000',
    attributes: [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.completion.0.content', 'It is 42 %.'),
    ],
    events: [
      { name: 'gen_ai.evaluation.result', timeUnixNano: '1767535201000000000', attributes: score },
    ],
  };
  await call('/v1/traces', {
    resourceSpans: [{ scopeSpans: [{ scope: { name: 'other' }, spans: [span] }] }],
  });
  await stack.sql`update work set due_at = now()`;
  await drainWork(stack.runtime);
  const lower = await call(`/v1/traces/${traceId}`, undefined, {}, 'GET');
  expect(lower).toMatchObject({
    status: 200,
    body: {
      id: traceId,
      spans: [{ id: span.spanId }],
      turns: [{ span_id: span.spanId }],
      scores_of_others: [
        {
          span_id: span.spanId,
          name: 'tone',
          value: null,
          label: 'kind',
          explanation: null,
          measured_at: '2026-01-04T14:00:01.000Z',
        },
      ],
    },
  });
  expect((await call(`/v1/traces/${traceId.toUpperCase()}`, undefined, {}, 'GET')).body).toEqual(
    lower.body,
  );
  // A separately sent turn may name its trace by any text, which keeps its case.
  await call('/v1/turns', {
    turns: [{ id: 't-1', trace_id: 'Order-7', context: SOME_CONTEXT, output: 'x' }],
  });
  expect(await call('/v1/traces/Order-7', undefined, {}, 'GET')).toMatchObject({
    status: 200,
    body: { id: 'Order-7', scores_of_others: [] },
  });
  expect((await call('/v1/traces/order-7', undefined, {}, 'GET')).status).toBe(404);
});
