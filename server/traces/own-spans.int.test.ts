import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { drainWork } from '../../db/testing';
import { createCaller } from '../../scripts/harness/call';
import { createStack, type Stack } from '../../scripts/harness/stack';

let stack: Stack;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
});

afterAll(() => stack.close());

const text = (key: string, value: string): object => ({ key, value: { stringValue: value } });

test('S-114 spans that Assay sends about a verdict are shown and never judged in their turn', async () => {
  const call = createCaller(stack.runtime, stack.key);
  const traceId = 'a1'.repeat(16);
  const own = {
    traceId,
    spanId: 'b2'.repeat(8),
    name: 'evaluate integrity',
    startTimeUnixNano: '1767535200000000000',
    endTimeUnixNano: '1767535200000000000',
    attributes: [text('gen_ai.operation.name', 'chat'), text('gen_ai.completion.0.content', 'It is 42 %.')],
    events: [{ name: 'gen_ai.evaluation.result', attributes: [text('gen_ai.evaluation.name', 'integrity')] }],
  };
  const scopeSpans = [{ scope: { name: 'assay' }, spans: [own] }];
  expect(await call('/v1/traces', { resourceSpans: [{ scopeSpans }] })).toMatchObject({ status: 200, body: {} });
  expect(await drainWork(stack.runtime)).toBe(0);
  const [count] = await stack.sql`
    select (select count(*)::int from turns) as turns, (select count(*)::int from foreign_scores) as scores,
      (select count(*)::int from trace_segments) as segments, (select count(*)::int from work) as work`;
  expect(count).toEqual({ turns: 0, scores: 0, segments: 1, work: 0 });
  await call('/v1/traces', {
    resourceSpans: [{ scopeSpans: [{ scope: { name: 'other' }, spans: [{ ...own, spanId: 'c3'.repeat(8) }] }] }],
  });
  await stack.sql`update work set due_at = now()`;
  expect(await drainWork(stack.runtime)).toBe(1);
});
