import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { caseCount } from '../../../testing/case-count';
import { createRandom } from '../../../testing/seed';
import type { Attributes, Span } from '../span';
import { decodeSegment } from './decode-segment';
import { losesDigits, quoteLostNumbers } from './json-digits';
import { readExport } from './read-export';
import type { SegmentFormat } from './segment';
import { encodeProto } from '../../../testing/otlp-library';
import { processorMsSince } from '../../../testing/processor-time';

const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const formats: readonly SegmentFormat[] = ['json', 'proto'];
type Json = Record<string, unknown>;

const requestOf = (span: Json, more: Json = {}): Json => ({
  resourceSpans: [{ scopeSpans: [{ spans: [{ ...ids, ...span }], ...more }] }],
});
const encode = (format: SegmentFormat, body: object): Buffer =>
  format === 'json' ? Buffer.from(JSON.stringify(body)) : encodeProto(body);

/** The only span of a request that the hot path has accepted whole. */
function only(format: SegmentFormat, body: Buffer | string): Span {
  const bytes = Buffer.from(body);
  expect(readExport(bytes, format, true)).toMatchObject({
    segments: [{ spans: 1, isWhole: true }],
    rejected: [],
  });
  const [span, ...others] = decodeSegment(format, bytes);
  expect(others).toEqual([]);
  if (span === undefined) throw new Error('no span');
  return span;
}
const decode = (format: SegmentFormat, span: Json): Span =>
  only(format, encode(format, requestOf(span)));
const one = (value: Json): Json => ({ attributes: [{ key: 'v', value }] });
const valueOf = (attributes: Attributes): unknown => attributes.get('v');

describe.each(formats)('%s', (format) => {
  it('every field of a span', () => {
    const attributes = [{ key: 'a', value: { stringValue: 'ä' } }];
    const body = {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'agent' } }] },
          scopeSpans: [
            {
              scope: { name: 'lib', version: '2', attributes },
              spans: [
                {
                  ...ids,
                  parentSpanId: 'c'.repeat(16),
                  flags: 0x301,
                  name: 'chat',
                  kind: 3,
                  startTimeUnixNano: '1700000000000000001',
                  endTimeUnixNano: '18446744073709551615',
                  attributes,
                  droppedAttributesCount: 1,
                  events: [
                    {
                      name: 'e',
                      timeUnixNano: '9007199254740993',
                      attributes,
                      droppedAttributesCount: 2,
                    },
                  ],
                  droppedEventsCount: 3,
                  links: [ids, ids],
                  droppedLinksCount: 4,
                  status: { code: 2, message: 'broke' },
                },
              ],
            },
          ],
        },
      ],
    };
    expect(only(format, encode(format, body))).toEqual({
      ...ids,
      parentSpanId: 'c'.repeat(16),
      parentIsRemote: true,
      name: 'chat',
      kind: 3,
      startNs: '1700000000000000001',
      endNs: '18446744073709551615',
      status: { code: 2, message: 'broke' },
      attributes: new Map([['a', 'ä']]),
      events: [{ name: 'e', timeNs: '9007199254740993', attributes: new Map([['a', 'ä']]) }],
      links: 2,
      dropped: { attributes: 3, events: 3, links: 4 },
      scope: { name: 'lib', version: '2' },
      resource: new Map([['service.name', 'agent']]),
      flags: [],
    });
  });

  test.each<[string, Json, unknown]>([
    ['a string', { stringValue: 'x' }, 'x'],
    ['an empty string', { stringValue: '' }, ''],
    ['a boolean', { boolValue: false }, false],
    ['nothing', {}, null],
    ['an integer', { intValue: '42' }, { raw: '42' }],
    ['a negative integer', { intValue: '-1' }, { raw: '-1' }],
    ['2^53 + 1', { intValue: '9007199254740993' }, { raw: '9007199254740993' }],
    ['the largest integer', { intValue: '9223372036854775807' }, { raw: '9223372036854775807' }],
    ['the smallest integer', { intValue: '-9223372036854775808' }, { raw: '-9223372036854775808' }],
    ['a double', { doubleValue: 91.4 }, { raw: '91.4' }],
    ['a whole double', { doubleValue: 5 }, { raw: '5' }],
    ['a small double', { doubleValue: 1e-7 }, { raw: '1e-7' }],
    ['the largest double', { doubleValue: Number.MAX_VALUE }, { raw: '1.7976931348623157e+308' }],
    ['bytes', { bytesValue: 'AP8=' }, { bytes: 'AP8=' }],
    [
      'an array',
      { arrayValue: { values: [{ intValue: '1' }, {}, { arrayValue: {} }] } },
      [{ raw: '1' }, null, []],
    ],
    [
      'pairs',
      { kvlistValue: { values: [{ key: 'k', value: { boolValue: true } }, { key: 'n' }] } },
      new Map([
        ['k', true],
        ['n', null],
      ]),
    ],
  ])('R-89 R-99 %s', (_, value, expected) => {
    expect(valueOf(decode(format, one(value)).attributes)).toEqual(expected);
  });

  it('R-94 keys that name parts of objects are ordinary keys, invisible to other code', () => {
    const names = [
      '__proto__',
      'constructor.prototype.x',
      'constructor',
      'a.__proto__.isPublic',
      'hasOwnProperty',
      'toString',
      'then',
    ];
    const attributes = names.map((key) => ({
      key,
      value: { kvlistValue: { values: [{ key: 'isPublic', value: { boolValue: true } }] } },
    }));
    const span = decode(format, { attributes, events: [{ name: '__proto__', attributes }] });
    expect([...span.attributes.keys()]).toEqual(names);
    expect(span.attributes.get('__proto__')).toEqual(new Map([['isPublic', true]]));
    expect(span.events[0]?.attributes.get('then')).toEqual(new Map([['isPublic', true]]));
    expect(Reflect.get({}, 'isPublic')).toBeUndefined();
    expect(decode(format, {}).attributes.get('isPublic')).toBeUndefined();
  });

  it('R-87 NUL in a name, a key, a value and a status is shown, and flagged', () => {
    const body = requestOf({
      name: 'a\0b',
      status: { message: '\0' },
      attributes: [{ key: 'k\0', value: { arrayValue: { values: [{ stringValue: 'v\0' }] } } }],
    });
    const span = only(format, encode(format, body));
    expect(span).toMatchObject({
      name: 'a␀b',
      status: { message: '␀' },
      attributes: new Map([['k␀', ['v␀']]]),
      flags: ['cleaned'],
    });
  });

  it('faults in a resource or scope are flagged at its spans', () => {
    const resource = { attributes: [{ key: 'r\0', value: {} }] };
    const [group] = requestOf({}).resourceSpans as Json[];
    expect(only(format, encode(format, { resourceSpans: [{ ...group, resource }] })).flags).toEqual(
      ['cleaned'],
    );
    expect(only(format, encode(format, requestOf({}, { scope: { name: '\0' } }))).flags).toEqual([
      'cleaned',
    ]);
  });

  it('R-95 of 100,000 attributes, events and links 1,000 each are read, the rest is counted', () => {
    const attributes = Array.from({ length: 100_000 }, (_, n) => ({
      key: `k${n}`,
      value: { intValue: String(n) },
    }));
    const events = Array.from({ length: 100_000 }, (_, n) => ({ name: `e${n}` }));
    const links = Array.from({ length: 100_000 }, () => ids);
    const body = encode(
      format,
      requestOf({ attributes, droppedAttributesCount: 5, events, links }),
    );
    const before = process.cpuUsage();
    const span = only(format, body);
    expect(processorMsSince(before)).toBeLessThan(8_000);
    expect([span.attributes.size, span.events.length, span.links]).toEqual([1000, 1000, 1000]);
    expect(span).toMatchObject({
      dropped: { attributes: 99_005, events: 99_000, links: 99_000 },
      flags: ['dropped'],
    });
    expect(span.attributes.get('k999')).toEqual({ raw: '999' });
  }, 20_000);

  it('R-95 attributes of an event over the limit count too', () => {
    const attributes = Array.from({ length: 1001 }, (_, n) => ({ key: `k${n}` }));
    expect(decode(format, { events: [{ name: 'e', attributes }] })).toMatchObject({
      dropped: { attributes: 1, events: 0 },
      flags: ['dropped'],
    });
  });

  test.each([
    ['256 bytes', 'k'.repeat(256), 'k'.repeat(256), []],
    ['257 bytes', 'k'.repeat(257), 'k'.repeat(256), ['cut']],
    ['1 MB', 'k'.repeat(1 << 20), 'k'.repeat(256), ['cut']],
    ['cut between characters', `k${'ä'.repeat(200)}`, `k${'ä'.repeat(127)}`, ['cut']],
  ])('R-95 a key of %s', (_, key, expected, flags) => {
    const span = decode(format, { attributes: [{ key, value: { intValue: '1' } }] });
    expect([...span.attributes.keys()]).toEqual([expected]);
    expect(span.flags).toEqual(flags);
  });

  it('a key that comes twice: the last counts', () => {
    const attributes = [1, 2].map((n) => ({ key: 'v', value: { intValue: String(n) } }));
    expect(valueOf(decode(format, { attributes }).attributes)).toEqual({ raw: '2' });
  });
});

describe('OTLP/JSON', () => {
  test.each([
    ['9007199254740993 as a number', '{"intValue":9007199254740993}', '9007199254740993'],
    [
      'the largest integer as a number',
      '{ "intValue" : 9223372036854775807 }',
      '9223372036854775807',
    ],
    ['a padded integer', '{"intValue":"007"}', '7'],
    ['-0', '{"intValue":-0}', '0'],
    ['a double of -0', '{"doubleValue":-0}', '-0'],
    ['1e400', '{"doubleValue":1e400}', '1e400'],
    ['-1E+400 in quotes', '{"doubleValue":"-1E+400"}', '-1E+400'],
    ['1e-400', '{"doubleValue":1e-400}', '1e-400'],
    [
      '40 digits',
      '{"doubleValue":0.1234567890123456789012345678901234567891}',
      '0.1234567890123456789012345678901234567891',
    ],
    ['20 digits, none of them lost', '{"doubleValue":10.000000000000000000}', '10'],
    ['an exponent that loses nothing', '{"doubleValue":1.5E+2}', '150'],
    ['NaN', '{"doubleValue":"NaN"}', 'NaN'],
    ['-Infinity', '{"doubleValue":"-Infinity"}', '-Infinity'],
  ])('R-89 %s keeps its digits', (_, value, raw) => {
    const text = JSON.stringify(
      requestOf({ attributes: 'HERE', name: 'a": 12345678901234567890' }),
    );
    const span = only('json', text.replace('"HERE"', `[{"key":"v","value":${value}}]`));
    expect(valueOf(span.attributes)).toEqual({ raw });
    expect(span.name).toBe('a": 12345678901234567890');
  });

  test('R-89 times keep their digits as numbers, and as whole doubles', () => {
    const text = JSON.stringify(requestOf({ startTimeUnixNano: 1, endTimeUnixNano: 2 }));
    const span = only(
      'json',
      text.replace('Nano":1,', 'Nano":1700000000000000001,').replace('Nano":2', 'Nano":1.7e18'),
    );
    expect([span.startNs, span.endNs]).toEqual(['1700000000000000001', '1700000000000000000']);
  });

  test('R-88 lone surrogates in a name, key and value are replaced and flagged; the neighbour is not', () => {
    const text = `{"resourceSpans":[{"scopeSpans":[{"spans":[
      {"traceId":"${ids.traceId}","spanId":"${ids.spanId}","name":"\\ud800","attributes":[{"key":"\\udfff","value":{"stringValue":"a\\ud83d"}}]},
      {"traceId":"${ids.traceId}","spanId":"${ids.spanId}","name":"\\ud83d\\ude00 \\ufffd"}]}]}]}`;
    const [bad, fine] = decodeSegment('json', text);
    expect(bad).toMatchObject({
      name: '\ufffd',
      attributes: new Map([['\ufffd', 'a\ufffd']]),
      flags: ['cleaned'],
    });
    expect(fine).toMatchObject({ name: '😀 \ufffd', flags: [] });
  });

  test('numbers are put in quotes only where JSON.parse would change them', () => {
    const text =
      '{"doubleValue":1.50,"intValue":9007199254740993,"other":9007199254740993,"kind":1e0,"doubleValue":[1e400],"timeUnixNano":1e400}';
    expect(quoteLostNumbers(text)).toBe(text.replace('9007199254740993', '"9007199254740993"'));
    expect(
      ['1.10', '100', '1e22', '0.0', '9007199254740993', '1e-400', '0.30000000000000001'].map(
        losesDigits,
      ),
    ).toEqual([false, false, false, false, true, true, true]);
  });
});

describe('OTLP/protobuf', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0])(
    'R-89 %s',
    (number) => {
      const raw = Object.is(number, -0) ? '-0' : String(number);
      expect(valueOf(decode('proto', one({ doubleValue: number })).attributes)).toEqual({ raw });
    },
  );

  it('R-86 strings that are not UTF-8 are replaced and flagged, U+FFFD itself is not', () => {
    const bad = Buffer.from(
      encodeProto(
        requestOf({ name: 'n?', attributes: [{ key: 'k?', value: { stringValue: '\ufffd' } }] }),
      ),
    );
    expect(only('proto', bad).flags).toEqual([]);
    for (let at = bad.indexOf('?'); at !== -1; at = bad.indexOf('?', at)) bad[at] = 0xff;
    expect(only('proto', bad)).toMatchObject({
      name: 'n\ufffd',
      attributes: new Map([['k\ufffd', '\ufffd']]),
      flags: ['invalid_utf8'],
    });
  });
});

/** Requests of valid spans, with texts that need cleaning, exceeded limits and nested values. */
function requests(): fc.Arbitrary<object> {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('', 'a\0', '__proto__', 'k'.repeat(300), 'ä'.repeat(130)),
  );
  const { value } = fc.letrec<{ value: object }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text.map((stringValue) => ({ stringValue })),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => ({ intValue: String(n) })),
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .filter((n) => !Object.is(n, -0))
        .map((doubleValue) => ({ doubleValue })),
      fc.boolean().map((boolValue) => ({ boolValue })),
      fc
        .uint8Array({ maxLength: 5 })
        .map((bytes) => ({ bytesValue: Buffer.from(bytes).toString('base64') })),
      fc.constant({}),
      fc.array(tie('value'), { maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
      fc
        .array(fc.record({ key: text, value: tie('value') }), { maxLength: 3 })
        .map((values) => ({ kvlistValue: { values } })),
    ),
  }));
  const attributes = fc.array(fc.record({ key: text, value }), { maxLength: 6 });
  const time = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
  const hex = (bytes: number) =>
    fc
      .uint8Array({ minLength: bytes, maxLength: bytes })
      .map((id) => Buffer.from(id).toString('hex'));
  const count = fc.nat({ max: 2 ** 31 - 1 });
  const span = fc.record(
    {
      traceId: fc.oneof(fc.constantFrom(ids.traceId, 'd'.repeat(32), ''), hex(16)),
      spanId: fc.oneof(hex(8), fc.constant('')),
      parentSpanId: fc.oneof(hex(8), fc.constantFrom('', '0'.repeat(16), 'abcd')),
      name: text,
      kind: fc.integer({ min: -3, max: 9 }),
      startTimeUnixNano: time,
      endTimeUnixNano: time,
      attributes,
      events: fc.array(
        fc.record({ name: text, timeUnixNano: time, attributes, droppedAttributesCount: count }),
        { maxLength: 3 },
      ),
      links: fc.array(fc.constant(ids), { maxLength: 3 }),
      status: fc.record({ code: fc.integer({ min: -1, max: 4 }), message: text }),
      flags: fc.constantFrom(0, 1, 0x101, 0x301),
      droppedAttributesCount: count,
      droppedEventsCount: count,
      droppedLinksCount: count,
    },
    { requiredKeys: ['traceId', 'spanId'] },
  );
  const scope = fc.record(
    { scope: fc.record({ name: text, version: text }), spans: fc.array(span, { maxLength: 4 }) },
    { requiredKeys: [] },
  );
  const resource = fc.record(
    { resource: fc.record({ attributes }), scopeSpans: fc.array(scope, { maxLength: 3 }) },
    { requiredKeys: [] },
  );
  return fc.record({ resourceSpans: fc.array(resource, { maxLength: 3 }) });
}

test('R-99 the same data in JSON and in protobuf: the same segments, rejections and spans', () => {
  const { seed } = createRandom('R-99');
  fc.assert(
    fc.property(requests(), (request) => {
      const [json, proto] = formats.map((format) => {
        const bytes = encode(format, request);
        const { segments, rejected, spans } = readExport(bytes, format, true);
        return {
          spans,
          rejected: rejected.map(({ index, message }) => ({ index, message })),
          segments: segments.map(({ traceId, hasRoot, isWhole, spans: count, body }) => {
            const decoded = decodeSegment(format, body);
            expect(decoded).toHaveLength(count);
            return { traceId, hasRoot, isWhole, decoded };
          }),
          all: decodeSegment(format, bytes),
        };
      });
      expect(proto).toEqual(json);
    }),
    { seed, numRuns: caseCount(300) },
  );
});

test("R-99 what OpenTelemetry's own serializers write reads the same in both encodings", () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'agent' }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('tests', '1.2.3');
  const parent = tracer.startSpan('parent', {
    kind: SpanKind.CLIENT,
    attributes: { text: 'ä', whole: 7, part: 0.1, many: [1, 2.5], yes: true },
  });
  const child = tracer.startSpan(
    'child',
    { links: [{ context: parent.spanContext() }] },
    trace.setSpanContext(ROOT_CONTEXT, parent.spanContext()),
  );
  child.addEvent('gen_ai.choice', { content: 'It is 5 GB.' });
  child.setStatus({ code: 2, message: 'broke' });
  child.end();
  parent.end();
  const spans = exporter.getFinishedSpans();
  const [json, proto] = [JsonTraceSerializer, ProtobufTraceSerializer].map((serializer, n) => {
    const body = Buffer.from(serializer.serializeRequest(spans) ?? []);
    expect(readExport(body, formats[n] ?? 'json', true)).toMatchObject({
      segments: [{ spans: 2, isWhole: true, hasRoot: true }],
      rejected: [],
    });
    return decodeSegment(formats[n] ?? 'json', body);
  });
  expect(proto).toEqual(json);
  expect(
    json?.map((span) => [span.name, span.kind, span.parentSpanId, span.scope.version]),
  ).toEqual([
    ['child', 1, parent.spanContext().spanId, '1.2.3'],
    ['parent', 3, null, '1.2.3'],
  ]);
  expect(json?.[0]).toMatchObject({
    links: 1,
    status: { code: 2, message: 'broke' },
    events: [{ name: 'gen_ai.choice' }],
  });
  expect(json?.[1]?.attributes.get('many')).toEqual([{ raw: '1' }, { raw: '2.5' }]);
});
