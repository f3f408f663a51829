import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeProto } from '../../testing/otlp-library';
import { plantedIn, plantedText } from '../../testing/planted';
import { caseCount } from '../../testing/case-count';
import { piiTypes } from '../pii';
import { createMasker, maskingKey } from './masker';
import { maskOtlpJson } from './otlp-json';
import { maskOtlpProto } from './otlp-proto';
import { readMaskPath } from './paths';

const paths = ['$.attributes["user"]', '$.attributes["chat"].name', '$.attributes.list[1]'];
const masker = (more: readonly string[] = paths) =>
  createMasker({
    types: piiTypes,
    regions: ['DE'],
    key: maskingKey('secret', 'prj_1'),
    paths: more.map((path) => readMaskPath(path, 'paths')),
  });
const ids = { traceId: '41111111111111114111111111111111', spanId: '4111111111111111' };

const texts = fc.oneof(plantedText, fc.constantFrom('', 'plain', '{"name":"Ann Lee","n":1}'));
const values = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    texts.map((stringValue) => ({ stringValue })),
    texts.map((text) => ({ bytesValue: Buffer.from(text).toString('base64') })),
    fc.constantFrom(
      { bytesValue: '/wD/' },
      { intValue: '4111111111111111' },
      { doubleValue: 1.5 },
      { boolValue: true },
      {},
    ),
    fc.array(tie('value'), { maxLength: 3 }).map((all) => ({ arrayValue: { values: all } })),
    fc
      .array(fc.record({ key: fc.constantFrom('name', 'a@b.co', 'phone'), value: tie('value') }), {
        maxLength: 3,
      })
      .map((all) => ({ kvlistValue: { values: all } })),
  ),
})).value;
const attributes = fc.array(
  fc.record({ key: fc.constantFrom('user', 'chat', 'list', 'phone', 'x'), value: values }),
  { maxLength: 4 },
);
const requests = fc
  .record({ name: texts, attributes, message: texts, event: texts, version: texts })
  .map(({ name, attributes: pairs, message, event, version }) => ({
    resourceSpans: [
      {
        resource: { attributes: pairs },
        scopeSpans: [
          {
            scope: { name: 'scope', version, attributes: pairs },
            spans: [
              {
                ...ids,
                traceState: message,
                name,
                startTimeUnixNano: '1700000000000000000',
                attributes: pairs,
                events: [{ timeUnixNano: '4111111111111111', name: event, attributes: pairs }],
                links: [{ ...ids, traceState: event, attributes: pairs }],
                status: { message, code: 2 },
              },
            ],
            schemaUrl: version,
          },
        ],
      },
    ],
  }));

describe('OTLP', () => {
  it('protobuf and JSON have the same spans after masking, and no planted value', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const json = maskOtlpJson(Buffer.from(JSON.stringify(request)), masker()).toString();
        const proto = maskOtlpProto(encodeProto(request), masker(), 'traces');
        expect(plantedIn(json)).toEqual([]);
        expect(plantedIn(proto.toString())).toEqual([]);
        expect(proto.equals(encodeProto(JSON.parse(json) as object))).toBe(true);
        expect(maskOtlpProto(proto, masker(), 'traces').equals(proto)).toBe(true);
      }),
      { numRuns: caseCount(500) },
    );
  });

  it.each([
    ['a text', { stringValue: 'Ann Lee' }],
    ['an integer', { intValue: '7' }],
    ['pairs', { kvlistValue: { values: [{ key: 'name', value: { stringValue: 'Ann' } }] } }],
  ])('an attribute at a path becomes one token: %s', (_name, value) => {
    const request = spanWith([{ key: 'user', value }]);
    const masked = maskOtlpJson(Buffer.from(JSON.stringify(request)), masker()).toString();
    expect(masked).toMatch(/"value":\{"stringValue":"\[masked:[a-z]{12}\]"\}/);
    expect(masked).not.toContain('Ann');
    const proto = maskOtlpProto(encodeProto(request), masker(), 'traces');
    expect(proto.equals(encodeProto(JSON.parse(masked) as object))).toBe(true);
  });

  it('the key of an attribute may follow its value', () => {
    const pair = { value: { stringValue: 'Ann Lee' }, key: 'user' };
    const masked = maskOtlpJson(Buffer.from(JSON.stringify(spanWith([pair]))), masker()).toString();
    expect(masked).not.toContain('Ann');
  });

  it('without a value to mask it is the same object', () => {
    const request = spanWith([{ key: 'x', value: { stringValue: 'plain', intValue: '7' } }]);
    const [json, proto] = [Buffer.from(JSON.stringify(request)), encodeProto(request)];
    expect(maskOtlpJson(json, masker())).toBe(json);
    expect(maskOtlpProto(proto, masker(), 'traces')).toBe(proto);
  });

  it('unknown fields stay, and what is no field is masked as text', () => {
    const proto = encodeProto(spanWith([]));
    const unknown = Buffer.from([0xfa, 0x07, 0x02, 0x41, 0x42]);
    const kept = Buffer.concat([proto, unknown]);
    expect(maskOtlpProto(kept, masker(), 'traces')).toBe(kept);
    const broken = Buffer.concat([
      proto,
      Buffer.from([0xff, ...Buffer.from('to ann@example.com')]),
    ]);
    const masked = maskOtlpProto(broken, masker(), 'traces');
    expect(masked.subarray(0, proto.length).equals(proto)).toBe(true);
    expect(masked.toString('latin1')).toMatch(/to \[email:[a-z]{12}\]$/);
  });

  it('any bytes are read to their end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom('traces', 'logs'), (b, of) => {
        const bytes = Buffer.from(b);
        expect(maskOtlpProto(bytes, masker(), of)).toBeInstanceOf(Buffer);
      }),
      { numRuns: caseCount(2_000) },
    );
  });

  it('deep nesting is read without a stack overflow', () => {
    let value: object = { stringValue: 'ann@example.com' };
    for (let depth = 0; depth < 600; depth++) value = { arrayValue: { values: [value] } };
    const request = spanWith([{ key: 'x', value }]);
    const json = maskOtlpJson(Buffer.from(JSON.stringify(request)), masker());
    const proto = maskOtlpProto(encodeProto(request), masker(), 'traces');
    expect(json.toString()).not.toContain('ann@');
    expect(proto.toString()).not.toContain('ann@');
  });
});

const spanWith = (pairs: readonly object[]): object => ({
  resourceSpans: [{ scopeSpans: [{ spans: [{ ...ids, name: 'span', attributes: pairs }] }] }],
});

const wire = (number: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, value.length]), value]);
/** A request with one span that has these further fields. */
const exportWith = (...spanFields: readonly Buffer[]): Buffer => {
  const span = Buffer.concat([
    wire(1, Buffer.alloc(16, 0x41)),
    wire(2, Buffer.alloc(8, 0x41)),
    ...spanFields,
  ]);
  return wire(1, wire(2, wire(2, span)));
};
const email = 'ann.lee@example.com';

it.each([
  ['a text that is not UTF-8', wire(5, Buffer.from(`${email} \xff`, 'latin1'))],
  [
    'an attribute that is not UTF-8',
    wire(9, wire(2, wire(1, Buffer.from(`${email} \xff`, 'latin1')))),
  ],
  ['an unknown field', wire(14, Buffer.from(email))],
  ['a message in an unknown field', wire(14, wire(1, wire(2, Buffer.from(email))))],
])('protobuf: %s is masked', (_what, field) => {
  const masked = maskOtlpProto(exportWith(field), masker(), 'traces').toString('latin1');
  expect(masked).not.toContain(email);
  expect(masked).toContain('[email:');
  expect(masked).toContain('A'.repeat(16));
});

it('a million empty fields take no memory of their own', () => {
  const many = Buffer.alloc(2_000_000);
  for (let at = 0; at < many.length; at += 2) many[at] = 0x08;
  const before = process.memoryUsage().heapUsed;
  expect(maskOtlpProto(many, masker(), 'traces')).toBe(many);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150 * 1024 * 1024);
});

it('paths apply to the body of a log record', () => {
  const rules = masker(['$.attributes["content"]']);
  const bodies = [
    { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'Ann Lee' } }] } },
    { stringValue: 'Ann Lee' },
  ];
  for (const body of bodies) {
    const sent = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ ...ids, body }] }] }] };
    expect(maskOtlpJson(Buffer.from(JSON.stringify(sent)), rules).toString()).not.toContain('Ann');
    const value =
      'stringValue' in body
        ? wire(1, Buffer.from('Ann Lee'))
        : wire(
            6,
            wire(
              1,
              Buffer.concat([
                wire(1, Buffer.from('content')),
                wire(2, wire(1, Buffer.from('Ann Lee'))),
              ]),
            ),
          );
    const proto = wire(1, wire(2, wire(2, wire(5, value))));
    expect(maskOtlpProto(proto, rules, 'logs').toString('latin1')).not.toContain('Ann');
  }
});

it('a value at a path that nests thousands of levels, or has no keys, is replaced', () => {
  const rules = masker(['$.attributes["user"]']);
  const valueOf = (value: string): string =>
    `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"user","value":${value}}]}]}]}]}`;
  const deep =
    '{"arrayValue":{"values":['.repeat(5000) + '{"stringValue":"Ann"}' + ']}}'.repeat(5000);
  const odd = '{"kvlistValue":{"values":[{"key":{"toString":1},"value":{"stringValue":"Ann"}}]}}';
  for (const value of [deep, odd])
    expect(maskOtlpJson(Buffer.from(valueOf(value)), rules).toString()).not.toContain('Ann');
});
