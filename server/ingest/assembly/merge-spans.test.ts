import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { processorMs } from '../../../testing/processor-time';
import { caseCount } from '../../../testing/case-count';
import { assembleTrace } from './assemble';
import { mergeSpans } from './merge-spans';
import { logsAttribute, type Span } from '../span';
import { attributesOf, sketchSpan } from '../span-fixture';

const seed = Number(process.env.ASSAY_SEED ?? Math.floor(Math.random() * 0x7fff_ffff));

function only(spans: readonly Span[]) {
  const merged = mergeSpans(spans);
  expect(merged.spans).toHaveLength(1);
  const [span] = merged.spans;
  if (span === undefined) throw new Error('no span');
  return { ...merged, span };
}

/**
 * A chat of two turns with tools; every span also in the version that its client sent at its start.
 */
function versionsOfTrace(): Span[] {
  const messages = (to: number) =>
    JSON.stringify(
      [
        { role: 'user', parts: [{ type: 'text', content: 'q1' }] },
        { role: 'assistant', parts: [{ type: 'text', content: 'It is 1.' }] },
        { role: 'user', parts: [{ type: 'text', content: 'q2' }] },
      ].slice(0, to),
    );
  const chat = (id: number, to: number, parts: readonly object[]) =>
    sketchSpan({
      id,
      parent: 1,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': messages(to),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts }]),
        'gen_ai.usage.input_tokens': id,
      },
    });
  const whole = [
    sketchSpan({
      id: 1,
      from: 0,
      to: 1000,
      name: 'agent',
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': 's' },
    }),
    chat(2, 1, [{ type: 'tool_call', id: 'c1', name: 'count', arguments: {} }]),
    sketchSpan({
      id: 3,
      parent: 1,
      attributes: {
        'gen_ai.tool.name': 'count',
        'gen_ai.tool.call.id': 'c1',
        'gen_ai.tool.call.result': '{"n":1}',
      },
    }),
    chat(4, 1, [{ type: 'text', content: 'It is 1.' }]),
    chat(5, 3, [{ type: 'tool_call', id: 'c2', name: 'count', arguments: {} }]),
    sketchSpan({
      id: 6,
      parent: 1,
      attributes: {
        'gen_ai.tool.name': 'count',
        'gen_ai.tool.call.id': 'c2',
        'gen_ai.tool.call.result': '{"n":2}',
      },
    }),
    chat(7, 3, [{ type: 'text', content: 'It is 2.' }]),
  ];
  const begun = whole.map(
    (span): Span => ({
      ...span,
      endNs: '0',
      attributes: new Map([...span.attributes].slice(0, 1)),
    }),
  );
  // Two versions with the same times: only their contents can decide the precedence.
  const again = whole.slice(2, 5).map(
    (span): Span => ({
      ...span,
      attributes: new Map([...span.attributes, ['gen_ai.conversation.id', 'other']]),
    }),
  );
  return [
    ...whole,
    ...begun,
    ...again,
    ...again.map((span): Span => ({ ...span, attributes: new Map([['x', span.spanId]]) })),
  ];
}

test('R-73 spans and updates of a trace in any order, repeated and split in any way, give the same state', () => {
  process.stdout.write(`merge-spans: seed ${seed}\n`);
  const all = versionsOfTrace();
  const expected = mergeSpans(all);
  const trace = assembleTrace(expected.spans);
  expect(trace.turns).toHaveLength(2);
  const order = fc.shuffledSubarray([...all, ...all, ...all.slice(0, 5)], {
    minLength: all.length * 2 + 5,
  });
  fc.assert(
    fc.property(
      order,
      fc.array(fc.nat({ max: all.length * 2 }), { maxLength: 6 }),
      (spans, cuts) => {
        const bounds = [0, ...cuts.sort((a, b) => a - b), spans.length];
        const parts = bounds.slice(1).map((end, at) => spans.slice(bounds[at], end));
        // Each part is merged alone, then with everything merged before.
        const merged = parts.reduce(
          (before, part) => mergeSpans([...before.spans, ...mergeSpans(part).spans]),
          mergeSpans([]),
        );
        expect(isDeepStrictEqual(merged, expected)).toBe(true);
        expect(isDeepStrictEqual(mergeSpans(spans), expected)).toBe(true);
        expect(isDeepStrictEqual(assembleTrace(merged.spans), trace)).toBe(true);
      },
    ),
    { numRuns: caseCount(1000), seed },
  );
}, 60_000);

test('R-73 merging again changes nothing', () => {
  const merged = mergeSpans(versionsOfTrace());
  expect(mergeSpans(merged.spans)).toEqual(merged);
  expect(mergeSpans([...merged.spans, ...merged.spans])).toEqual(merged);
});

test('R-75 a repeated span is no conflict, whatever the order of its attributes', () => {
  const span = sketchSpan({ id: 1, attributes: { a: 1, b: 'x' } });
  const turned = { ...span, attributes: new Map([...span.attributes].reverse()) };
  const { conflict, span: merged } = only([span, turned, span]);
  expect(conflict).toBe(false);
  expect(merged.flags).toEqual([]);
  expect(merged.versions).toHaveLength(1);
});

test('R-74 the same id with other content is merged by a rule in either order, flagged, and both contents are kept', () => {
  const early = sketchSpan({
    id: 1,
    parent: 9,
    name: 'early',
    from: 0,
    to: 10,
    attributes: { a: 1, b: 'early' },
    events: [{ name: 'e1', at: 5, attributes: {} }],
  }); // prettier-ignore
  const late = {
    ...sketchSpan({
      id: 1,
      name: 'late',
      from: 0,
      to: 20,
      attributes: { b: 'late', c: true },
      events: [{ name: 'e0', at: 1, attributes: {} }],
    }),
    links: 2,
  }; // prettier-ignore
  const { conflict, span } = only([early, late]);
  expect(only([late, early])).toEqual({ spans: [span], conflict, span });
  expect(conflict).toBe(true);
  expect(span).toMatchObject({
    name: 'late',
    parentSpanId: early.parentSpanId,
    endNs: late.endNs,
    links: 2,
    flags: ['conflict'],
  });
  expect(span.attributes).toEqual(attributesOf({ a: 1, b: 'late', c: true }));
  expect(span.events.map(({ name }) => name)).toEqual(['e0', 'e1']);
  expect(span.versions).toEqual([early, late]);
});

test('R-74 an update without an end, a status or a name takes nothing away', () => {
  const ended = sketchSpan({ id: 1, name: 'chat', error: 'timeout' });
  const begun: Span = {
    ...ended,
    name: '',
    endNs: '0',
    status: { code: 0, message: '' },
    attributes: new Map(),
  };
  expect(only([ended, begun]).span).toMatchObject({
    name: 'chat',
    endNs: ended.endNs,
    status: { code: 2, message: 'timeout' },
  });
});

test('R-74 an update without an end, a status or a name removes nothing', () => {
  const span = sketchSpan({ id: 1, attributes: { ['__proto__']: 'a', constructor: 'b' } });
  const { span: merged } = only([span, { ...span, endNs: '0' }]);
  expect([...merged.attributes]).toEqual([...span.attributes]);
  expect(({} as { isPublic?: boolean }).isPublic).toBeUndefined();
});

test.each([
  ['contents of log records', { [logsAttribute]: true }],
  ['updates', {}],
] as const)('the time for %s of one span is linear in their number', (_what, attributes) => {
  const contents = (count: number): Span[] =>
    Array.from({ length: count }, (_, n) => ({
      ...sketchSpan({ id: 1, attributes: { ...attributes, [`only.${n}`]: n } }),
      events: Array.from({ length: 20 }, (__, at) => ({
        name: 'event',
        timeNs: String(n * 100 + at),
        attributes: attributesOf({ n, at }),
      })),
    }));
  const minTime = (spans: readonly Span[]): number =>
    Math.min(...[0, 1, 2].map(() => processorMs(() => mergeSpans(spans))));
  const [few, many] = [contents(200), contents(1600)];
  expect(only(few).span.events).toHaveLength(4000);
  // Eight times as many take eight times as long; quadratic growth is sixty-four times.
  expect(minTime(many)).toBeLessThan(24 * minTime(few) + 100);
});
