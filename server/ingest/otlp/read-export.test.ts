import { describe, expect, it, test } from 'vitest';
import { intakeLimits } from '../../domain';
import { AssayError } from '../../platform';
import { decodeSegment } from './decode-segment';
import { readExport } from './read-export';
import type { ExportRead, SegmentFormat } from './segment';
import { encodeProto } from '../../../testing/otlp-library';
import { processorMsSince } from '../../../testing/processor-time';

const formats: readonly SegmentFormat[] = ['json', 'proto'];
const manySpans = process.env.ASSAY_LONG === '1' ? 40_000 : 10_000;
const traceId = (n: number): string => `a${n.toString(16).padStart(31, '0')}`;
const spanId = (n: number): string => `b${n.toString(16).padStart(15, '0')}`;
type Json = Record<string, unknown>;

const good = (n: number, more: Json = {}): Json => ({
  traceId: traceId(0),
  spanId: spanId(n),
  name: `span ${n}`,
  kind: 1,
  startTimeUnixNano: '1700000000000000001',
  endTimeUnixNano: '1700000000000000002',
  attributes: [{ key: 'n', value: { intValue: String(n) } }],
  ...more,
});
const many = (count: number): Json[] => Array.from({ length: count }, (_, n) => good(n));
const request = (spans: readonly unknown[]): Json => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'agent' } }] },
      scopeSpans: [{ scope: { name: 'tests', version: '1' }, spans }],
    },
  ],
});
const encode = (format: SegmentFormat, body: Json): Buffer =>
  format === 'json' ? Buffer.from(JSON.stringify(body)) : encodeProto(body);
const read = (format: SegmentFormat, body: Json): ExportRead =>
  readExport(encode(format, body), format, true);
const readText = (text: string): ExportRead => readExport(Buffer.from(text), 'json', true);

/** Every segment decodes to exactly its spans, and each span is counted once. */
function stored(result: ExportRead): number {
  for (const segment of result.segments) {
    const spans = decodeSegment(segment.format, segment.body);
    expect(spans).toHaveLength(segment.spans);
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([segment.traceId]));
  }
  const sum = result.segments.reduce((total, segment) => total + segment.spans, 0);
  expect(sum + result.rejected.length).toBe(result.spans);
  return sum;
}

function refusal(act: () => unknown): AssayError {
  try {
    act();
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe.each(formats)('%s', (format) => {
  it('one trace is one segment: the body itself, not a copy', () => {
    const body = encode(format, request([good(1), good(2, { parentSpanId: spanId(1) })]));
    const { segments, rejected } = readExport(body, format, true);
    const whole = format === 'json' ? body.toString('utf8') : body;
    expect(segments).toEqual([
      {
        traceId: traceId(0),
        format,
        body: whole,
        isWhole: true,
        spans: 2,
        hasRoot: true,
        flags: [],
      },
    ]);
    expect(segments[0]?.body).toBe(whole);
    expect(rejected).toEqual([]);
  });

  it('each of several traces is a segment, with resource and scope, in the order of the request', () => {
    const spans = Array.from({ length: 9 }, (_, n) =>
      good(n, { traceId: n % 2 === 0 ? traceId(n % 3) : traceId(n % 3).toUpperCase() }),
    );
    const two = {
      resourceSpans: [
        ...(request(spans).resourceSpans as Json[]),
        ...(request(spans.slice(0, 2)).resourceSpans as Json[]),
      ],
    };
    const result = read(format, two);
    expect(result.segments.map((each) => [each.traceId, each.spans, each.isWhole])).toEqual([
      [traceId(0), 4, false],
      [traceId(1), 4, false],
      [traceId(2), 3, false],
    ]);
    expect(stored(result)).toBe(11);
    const [first] = result.segments;
    const decoded = decodeSegment(format, first?.body ?? '');
    expect(decoded.map((span) => span.spanId)).toEqual([
      spanId(0),
      spanId(3),
      spanId(6),
      spanId(0),
    ]);
    expect(decoded[3]).toMatchObject({
      scope: { name: 'tests', version: '1' },
      resource: new Map([['service.name', 'agent']]),
    });
    expect(readExport(Buffer.from(first?.body ?? ''), format, true).segments).toMatchObject([
      { spans: 4, isWhole: true },
    ]);
  });

  it.each<[string, Json, boolean]>([
    ['no parent', {}, true],
    ['an empty parent', { parentSpanId: '' }, true],
    ['a parent of zeros', { parentSpanId: '0'.repeat(16) }, true],
    ['a parent', { parentSpanId: spanId(9) }, false],
    ['a local parent', { parentSpanId: spanId(9), flags: 0x101 }, false],
    ['a remote parent', { parentSpanId: spanId(9), flags: 0x301 }, true],
  ])('a span with %s', (_, more, hasRoot) => {
    const { segments } = read(format, request([good(1, more)]));
    expect(segments).toMatchObject([{ hasRoot }]);
    expect(decodeSegment(format, segments[0]?.body ?? '')[0]?.parentIsRemote).toBe(
      more.flags === 0x301,
    );
  });

  it('R-72 R-98 one bad span of 100 is rejected alone, with its position, a reason and its bytes; 99 are stored', () => {
    const spans = many(100);
    spans[42] = good(42, { traceId: '0'.repeat(32) });
    const result = read(format, request(spans));
    expect(result).toMatchObject({
      spans: 100,
      segments: [{ spans: 99, isWhole: false }],
      rejected: [{ index: 42 }],
    });
    expect(result.rejected[0]?.message).toMatch(/^traceId must be 32 hex digits/);
    expect(result.rejected[0]?.body.toString('latin1')).toContain('span 42');
    expect(stored(result)).toBe(99);
  });

  it.each([
    ['a trace id of zeros', { traceId: '0'.repeat(32) }],
    ['a short trace id', { traceId: 'ab'.repeat(15) }],
    ['a long trace id', { traceId: 'ab'.repeat(17) }],
    ['no trace id', { traceId: undefined }],
    ['a span id of zeros', { spanId: '0'.repeat(16) }],
    ['a short span id', { spanId: 'ab' }],
    ['no span id', { spanId: '' }],
    ['a parent id of another length', { parentSpanId: 'ab'.repeat(4) }],
  ])('R-84 R-98 %s: that span is rejected, 50 are stored', (_, more) => {
    const result = read(format, request([...many(25), good(99, more), ...many(25)]));
    expect(result).toMatchObject({ spans: 51, rejected: [{ index: 25 }] });
    expect(stored(result)).toBe(50);
  });

  it.each(['arrayValue', 'kvlistValue', 'mixed'] as const)(
    'R-90 %s: 64 deep is read, 65 and 200 deep reject that span',
    (kind) => {
      const nested = (depth: number): Json => {
        let value: Json = { stringValue: 'deepest' };
        for (let i = 0; i < depth; i++) {
          const list = kind === 'arrayValue' || (kind === 'mixed' && i % 2 === 0);
          value = list
            ? { arrayValue: { values: [value] } }
            : { kvlistValue: { values: [{ key: 'k', value }] } };
        }
        return value;
      };
      const spans = [64, 65, 200].map((depth, n) =>
        good(n, { attributes: [{ key: 'deep', value: nested(depth) }] }),
      );
      const result = read(format, request(spans));
      expect(result.rejected.map(({ index, message }) => [index, message])).toEqual([
        [1, 'a value nests deeper than 64'],
        [2, 'a value nests deeper than 64'],
      ]);
      expect(stored(result)).toBe(1);
      const inEvent = good(1, {
        events: [{ name: 'e', attributes: [{ key: 'deep', value: nested(65) }] }],
      });
      expect(read(format, request([inEvent])).rejected).toHaveLength(1);
    },
  );

  it('R-90 a resource that nests too deep rejects only the spans of that resource', () => {
    let value: Json = {};
    for (let i = 0; i < 65; i++) value = { arrayValue: { values: [value] } };
    const [bad] = request([good(1), good(2)]).resourceSpans as Json[];
    const [fine] = request([good(3)]).resourceSpans as Json[];
    const body = {
      resourceSpans: [{ ...bad, resource: { attributes: [{ key: 'deep', value }] } }, fine],
    };
    const result = read(format, body);
    expect(result.rejected.map(({ message }) => message)).toEqual(
      Array(2).fill('resource: a value nests deeper than 64'),
    );
    expect(stored(result)).toBe(1);
    expect(decodeSegment(format, encode(format, body)).map((span) => span.spanId)).toEqual([
      spanId(3),
    ]);
  });

  it(`R-97 ${manySpans} spans in ${manySpans / 5} traces and in one`, () => {
    const spans = Array.from({ length: manySpans }, (_, n) => ({
      traceId: traceId(n % (manySpans / 5)),
      spanId: spanId(n),
    }));
    const result = read(format, request(spans));
    expect(result).toMatchObject({ spans: manySpans, rejected: [] });
    expect(result.segments).toHaveLength(manySpans / 5);
    expect(new Set(result.segments.map((each) => each.spans))).toEqual(new Set([5]));
    const one = read(format, request(spans.map((span) => ({ ...span, traceId: traceId(1) }))));
    expect(one.segments).toMatchObject([{ spans: manySpans, isWhole: true }]);
    expect(decodeSegment(format, one.segments[0]?.body ?? '')).toHaveLength(manySpans);
  }, 20_000);

  it('R-97 more than 50,000 spans are too many, good or bad, and the answer names the limit', () => {
    const spans = Array.from({ length: 50_001 }, (_, n) =>
      n % 2 === 0 ? { traceId: traceId(1), spanId: spanId(n) } : {},
    );
    const error = refusal(() => read(format, request(spans)));
    expect([error.code, error.message]).toEqual([
      'too_large',
      'the request has more than 50000 spans; send fewer at once',
    ]);
  });

  it('a large resource is not repeated for each of very many traces', () => {
    const spans = Array.from({ length: 2000 }, (_, n) => ({
      traceId: traceId(n),
      spanId: spanId(n),
    }));
    const [group] = request(spans).resourceSpans as Json[];
    const text = 'x'.repeat(intakeLimits.repeatedBytes / 1000);
    const body = {
      resourceSpans: [
        { ...group, resource: { attributes: [{ key: 'big', value: { stringValue: text } }] } },
      ],
    };
    expect(refusal(() => read(format, body)).code).toBe('too_large');
  });

  it('R-100 an empty body, an empty request and one without spans have nothing to store or reject', () => {
    const nothing = { segments: [], spans: 0, rejected: [] };
    expect(readExport(Buffer.alloc(0), format, true)).toEqual(nothing);
    for (const body of [{}, { resourceSpans: [] }, { resourceSpans: [{}] }, request([])])
      expect(read(format, body)).toEqual(nothing);
    expect(decodeSegment(format, encode(format, request([])))).toEqual([]);
  });
});

describe('OTLP/JSON', () => {
  test.each([
    ['a trace id in base64', { traceId: Buffer.alloc(16, 7).toString('base64') }],
    ['a trace id that is no hex', { traceId: 'g'.repeat(32) }],
    ['a trace id that is a number', { traceId: 7 }],
    ['a name of a kind', { kind: 'SPAN_KIND_CLIENT' }],
    ['a kind in quotes', { kind: '3' }],
    ['a kind of 1.5', { kind: 1.5 }],
    ['a name of a status', { status: { code: 'STATUS_CODE_ERROR' } }],
    ['a status that is no object', { status: 2 }],
    ['a negative time', { startTimeUnixNano: '-1' }],
    ['a negative number as time', { endTimeUnixNano: -1 }],
    ['a time in words', { startTimeUnixNano: '2026-01-01T00:00:00Z' }],
    ['an empty time', { startTimeUnixNano: '' }],
    ['a time beyond 64 bits', { endTimeUnixNano: '99999999999999999999' }],
    ['a name that is no string', { name: 7 }],
    ['attributes as an object', { attributes: { a: 1 } }],
    ['an attribute without its object', { attributes: [7] }],
    ['a bare value', { attributes: [{ key: 'a', value: 'bare' }] }],
    ['a key that is no string', { attributes: [{ key: 7, value: {} }] }],
    ['a string value of another type', { attributes: [{ key: 'a', value: { stringValue: 7 } }] }],
    ['an int value in words', { attributes: [{ key: 'a', value: { intValue: 'seven' } }] }],
    ['an int value with a fraction', { attributes: [{ key: 'a', value: { intValue: 1.5 } }] }],
    [
      'an int value beyond 64 bits',
      { attributes: [{ key: 'a', value: { intValue: '99999999999999999999' } }] },
    ],
    ['a double in words', { attributes: [{ key: 'a', value: { doubleValue: 'much' } }] }],
    ['a boolean in quotes', { attributes: [{ key: 'a', value: { boolValue: 'true' } }] }],
    ['bytes that are no base64', { attributes: [{ key: 'a', value: { bytesValue: '§' } }] }],
    ['200,000 arrays for a value', { attributes: [{ key: 'a', value: 'ARRAYS' }] }],
    [
      '200,000 arrays in a value',
      { attributes: [{ key: 'a', value: { arrayValue: { values: 'ARRAYS' } } }] },
    ],
    ['an event that is none', { events: [7] }],
    ['an event with a bad time', { events: [{ name: 'e', timeUnixNano: 'x' }] }],
    ['links that are none', { links: {} }],
    ['flags of another type', { flags: 'all' }],
    ['a dropped count below zero', { droppedAttributesCount: -1 }],
  ])('R-84 R-90 R-98 %s: that span is rejected, 50 are stored', (_, more) => {
    const arrays = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const text = JSON.stringify(request([...many(25), good(99, more), ...many(25)])).replace(
      '"ARRAYS"',
      arrays,
    );
    const result = readText(text);
    expect(result).toMatchObject({ spans: 51, rejected: [{ index: 25 }] });
    expect(stored(result)).toBe(50);
    expect(decodeSegment('json', text)).toHaveLength(50);
  });

  test.each([
    ['upper-case ids', { traceId: traceId(0).toUpperCase(), spanId: spanId(1).toUpperCase() }],
    [
      'nulls',
      {
        parentSpanId: null,
        name: null,
        kind: null,
        startTimeUnixNano: null,
        attributes: null,
        events: null,
        links: null,
        status: null,
      },
    ],
    ['times as numbers', { startTimeUnixNano: 1700000000000000000, endTimeUnixNano: 0 }],
    [
      'int64 as strings and numbers',
      {
        attributes: [
          { key: 'a', value: { intValue: '-9223372036854775808' } },
          { key: 'b', value: { intValue: 7 } },
        ],
      },
    ],
    [
      'doubles in words',
      {
        attributes: ['NaN', 'Infinity', '-Infinity', '1e400'].map((doubleValue) => ({
          key: doubleValue,
          value: { doubleValue },
        })),
      },
    ],
    [
      'fields that are not known, snake_case among them',
      {
        trace_id: 7,
        start_time_unix_nano: 'x',
        attributes: [{ key: 'a', value: { string_value: 7 } }],
      },
    ],
    ['a kind that is not known', { kind: 99, status: { code: 99 } }],
    ['200,000 arrays in a field that is not known', { unknown: 'ARRAYS' }],
  ])('R-84 %s are taken', (_, more) => {
    const arrays = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const result = readText(
      JSON.stringify(request([good(1), good(2, more)])).replace('"ARRAYS"', arrays),
    );
    expect(result.rejected).toEqual([]);
    expect(stored(result)).toBe(2);
  });

  test('R-84 snake_case is not OTLP/JSON: without known fields the request is empty', () => {
    expect(readText('{"resource_spans":[{"scope_spans":[{"spans":[{}]}]}]}')).toEqual({
      segments: [],
      spans: 0,
      rejected: [],
    });
  });

  test.each([
    ['no JSON', 'resourceSpans'],
    ['a byte order mark', `\ufeff${JSON.stringify(request([]))}`],
    ['bytes after the end', `${JSON.stringify(request([]))}{}`],
    ['a comment', `/* hello */${JSON.stringify(request([]))}`],
    ['a list', '[]'],
    ['a text', '"resourceSpans"'],
    ['null', 'null'],
    ['resourceSpans that is no list', '{"resourceSpans":{}}'],
    ['resourceSpans of lists', '{"resourceSpans":[[]]}'],
    ['200,000 lists', `{"resourceSpans":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['scopeSpans that is no list', '{"resourceSpans":[{"scopeSpans":7}]}'],
    ['spans that is no list', '{"resourceSpans":[{"scopeSpans":[{"spans":"x"}]}]}'],
  ])('R-90 R-99 %s: the body is refused', (_, text) => {
    expect(refusal(() => readText(text)).code).toBe('invalid_request');
  });

  test('R-99 UTF-16 is refused', () => {
    const body = Buffer.from(JSON.stringify(request(many(1))), 'utf16le');
    expect(refusal(() => readExport(body, 'json', false)).code).toBe('invalid_request');
  });

  test('R-99 of a duplicate key the last counts, both for reading and for splitting', () => {
    const [a, b, c] = [
      good(1),
      good(2, { traceId: traceId(1) }),
      good(3, { traceId: traceId(2) }),
    ].map((span) => JSON.stringify(span));
    const text = `{"resourceSpans":[{"scopeSpans":[{"spans":[${c}]}]}],"resourceSp\\u0061ns":[{"scopeSpans":[],"scopeSpans" : [ {"spans":[${c}],"x":"]","spans":[${a} , ${b}]}]}]}`;
    const result = readText(text);
    expect(result.segments.map((each) => each.traceId)).toEqual([traceId(0), traceId(1)]);
    expect(stored(result)).toBe(2);
  });

  test('a segment contains the exact text of its spans: digits, spaces and escapes as sent', () => {
    const own = `{ "traceId":"${traceId(1)}", "spanId":"${spanId(1)}", "attributes":[{"key":"\\u0061","value":{"doubleValue":0.100000000000000000001}}] }`;
    const other = JSON.stringify(good(2));
    const { segments } = readText(
      `{"resourceSpans":[{"schemaUrl":"u","junk":[1],"scopeSpans":[{"spans":[${own},${other}],"scope":{ "name":"s" }}]}]}`,
    );
    expect(segments[0]?.body).toBe(
      `{"resourceSpans":[{"schemaUrl":"u","scopeSpans":[{"scope":{ "name":"s" },"spans":[${own}]}]}]}`,
    );
  });

  test('R-86 invalid UTF-8 is kept unchanged and flagged, and the batch survives', () => {
    const spans = [
      good(1, { name: 'BAD' }),
      good(2, { traceId: traceId(1) }),
      good(3, { traceId: 'short', name: 'BAD' }),
    ];
    const body = Buffer.from(JSON.stringify(request(spans)).replaceAll('BAD', '\u00ff'), 'latin1');
    const result = readExport(body, 'json', false);
    expect(result.segments.map((each) => [each.spans, each.flags])).toEqual([
      [1, ['invalid_utf8']],
      [1, ['invalid_utf8']],
    ]);
    expect(result.rejected[0]?.body.includes(0xff)).toBe(true);
    const [bad, fine] = result.segments.map((each) => decodeSegment('json', each.body)[0]);
    expect([bad?.name, bad?.flags, fine?.flags]).toEqual(['\ufffd', ['invalid_utf8'], []]);
    expect(Buffer.from(result.segments[0]?.body ?? '').includes(0xff)).toBe(true);
  });
});

describe('OTLP/protobuf', () => {
  const sound = encodeProto(request(many(3)));
  const message = (tag: number, ...content: readonly Buffer[]): Buffer => {
    const inner = Buffer.concat(content);
    return Buffer.concat([
      Buffer.from([tag, (inner.length & 127) | 128, (inner.length >> 7) | 128, inner.length >> 14]),
      inner,
    ]);
  };
  const inScope = (span: Buffer): Buffer => message(0x0a, message(0x12, span));

  test.each([
    ['a cut varint', Buffer.from([0x0a, 0xff])],
    ['a varint without end', Buffer.from([0x0a, ...Array<number>(20).fill(0xff)])],
    ['a length of 1 GB', Buffer.from([0x0a, 0x80, 0x80, 0x80, 0x80, 0x04, 0x01])],
    ['a length of 4 GB', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])],
    ['a wrong wire type', Buffer.from([0x08, 0x01])],
    ['a wrong wire type for a scope', message(0x0a, Buffer.from([0x10, 0x01]))],
    ['field 0', Buffer.from([0x02, 0x00])],
    ['wire type 7', Buffer.from([0x0f])],
    ['a group', Buffer.from([0x13, 0x14])],
    ['10,000 nested groups', Buffer.alloc(10_000, 0x13)],
    ['10,000,000 nested groups', Buffer.alloc(10_000_000, 0x13)],
    ['its end missing', sound.subarray(0, -1)],
    [
      'a message that reaches beyond its owner',
      Buffer.concat([Buffer.from([0x0a, 0x02, 0x12, 0x05]), Buffer.alloc(5)]),
    ],
    ['a damaged resource', message(0x0a, message(0x0a, Buffer.from([0x0b])))],
    ['JSON', Buffer.from(JSON.stringify(request(many(3))))],
    ['zeros', Buffer.alloc(1000)],
  ])('R-83 %s: the body is refused, in 50 ms', (_, body) => {
    const before = process.cpuUsage();
    const error = refusal(() => readExport(body, 'proto', true));
    expect(error.code).toBe('invalid_request');
    expect(processorMsSince(before)).toBeLessThan(50);
    expect(refusal(() => decodeSegment('proto', body)).code).toBe('invalid_request');
  });

  test.each([
    ['a cut varint', [0x30, 0xff]],
    ['a length beyond its end', [0x2a, 0x7f]],
    ['a length of 1 GB', [0x2a, 0x80, 0x80, 0x80, 0x80, 0x04]],
    ['a wrong wire type', [0x28, 0x01]],
    ['groups', [0x8b, 0x8b, 0x8b]],
    ['a damaged attribute', [0x4a, 0x02, 0x12, 0x7f]],
    ['a damaged value', [0x4a, 0x04, 0x12, 0x02, 0x18, 0xff]],
    ['a damaged event', [0x5a, 0x02, 0x08, 0x01]],
    ['a damaged status', [0x7a, 0x02, 0x1a, 0x00]],
    ['cut times', [0x39, 0x01]],
  ])('R-83 R-98 %s inside a span rejects that span', (_, bytes) => {
    const ids = Buffer.concat([
      message(0x0a, Buffer.alloc(16, 1)),
      message(0x12, Buffer.alloc(8, 1)),
    ]);
    const body = Buffer.concat([sound, inScope(message(0x12, ids, Buffer.from(bytes))), sound]);
    const result = readExport(body, 'proto', true);
    expect(result.rejected).toMatchObject([
      { index: 3, body: Buffer.concat([ids, Buffer.from(bytes)]) },
    ]);
    expect(result.rejected[0]?.message).toMatch(/^the span is damaged: /);
    expect(stored(result)).toBe(6);
    expect(decodeSegment('proto', body)).toHaveLength(6);
  });

  test.each([
    ['arrays', [0x0a, 0x2a]],
    ['pairs', [0x12, 0x0a, 0x32]],
  ])('R-90 %s 5,000 deep reject that span', (_, tags) => {
    let value: Buffer = Buffer.from([0x10, 0x01]);
    for (let i = 0; i < 5000; i++) for (const tag of tags) value = message(tag, value);
    const ids = Buffer.concat([
      message(0x0a, Buffer.alloc(16, 1)),
      message(0x12, Buffer.alloc(8, 1)),
    ]);
    const body = Buffer.concat([
      sound,
      inScope(message(0x12, ids, message(0x4a, message(0x12, value)))),
    ]);
    const result = readExport(body, 'proto', true);
    expect(result.rejected.map(({ index, message: reason }) => [index, reason])).toEqual([
      [3, 'a value nests deeper than 64'],
    ]);
    expect(stored(result)).toBe(3);
  });

  test('R-84 unknown fields are skipped, in every message', () => {
    const unknown = Buffer.from([
      0xf8, 0x3f, 0x01, 0xfa, 0x3f, 0x02, 0x61, 0x62, 0xfd, 0x3f, 1, 2, 3, 4, 0xf9, 0x3f, 1, 2, 3,
      4, 5, 6, 7, 8,
    ]);
    const value = message(0x12, unknown, Buffer.from([0x18, 0x07]));
    const pair = message(0x4a, unknown, message(0x0a, Buffer.from('k')), value);
    const ids = Buffer.concat([
      message(0x0a, Buffer.alloc(16, 1)),
      message(0x12, Buffer.alloc(8, 1)),
    ]);
    const body = Buffer.concat([
      unknown,
      message(0x0a, unknown, message(0x12, unknown, message(0x12, unknown, ids, pair))),
    ]);
    const result = readExport(body, 'proto', true);
    expect(stored(result)).toBe(1);
    expect(decodeSegment('proto', body)[0]?.attributes).toEqual(new Map([['k', { raw: '7' }]]));
  });

  test('a resource and a scope after their spans count too', () => {
    const ids = Buffer.concat([
      message(0x0a, Buffer.alloc(16, 1)),
      message(0x12, Buffer.alloc(8, 1)),
    ]);
    const scope = message(0x0a, message(0x0a, Buffer.from('late')));
    const resource = message(
      0x0a,
      message(0x0a, message(0x0a, Buffer.from('k')), message(0x12, Buffer.from([0x10, 0x01]))),
    );
    const body = message(0x0a, message(0x12, message(0x12, ids), scope), resource);
    expect(decodeSegment('proto', body)).toMatchObject([
      { scope: { name: 'late' }, resource: new Map([['k', true]]) },
    ]);
  });
});
