import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  logsOf,
  nsAfter,
  type OtlpFormat,
  otlpFormats,
  type OtlpLog,
  type OtlpValue,
} from '../../../testing/otlp';
import { caseCount } from '../../../testing/case-count';
import { intakeLimits } from '../../domain';
import { AssayError } from '../../platform';
import { readLogs } from './read-logs';

const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const full: OtlpLog = {
  ...ids,
  timeUnixNano: nsAfter(1),
  observedTimeUnixNano: nsAfter(2),
  eventName: 'gen_ai.choice',
  body: {
    kvlistValue: {
      values: [
        { key: 'index', value: { intValue: '9007199254740993' } },
        {
          key: 'message',
          value: { arrayValue: { values: [{ stringValue: 'ü' }, { boolValue: true }] } },
        },
      ],
    },
  },
  attributes: [{ key: 'gen_ai.system', value: { stringValue: 'openai' } }],
};
const bare: OtlpLog = { body: { stringValue: 'started' }, attributes: [] };

function fieldsOf(format: OtlpFormat, records: readonly (OtlpLog | Buffer)[]): unknown[] {
  return readLogs(logsOf(format, records), format).records.map(({ fields }) => fields);
}

test('a log record is the same object from JSON and from protobuf', () => {
  expect(fieldsOf('proto', [full, bare])).toEqual(fieldsOf('json', [full, bare]));
  expect(fieldsOf('json', [full])).toEqual([full]);
});

test.each(otlpFormats)('an empty body and an empty request have no records: %s', (format) => {
  for (const body of [Buffer.alloc(0), logsOf(format, [])])
    expect(readLogs(body, format)).toEqual({ records: [], count: 0, rejected: [] });
});

test('integers in JSON keep their digits, as numbers and as strings', () => {
  const text = (digits: string): string =>
    `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":${digits},"observedTimeUnixNano":${digits},"body":{"intValue":${digits}}}]}]}]}`;
  for (const digits of ['1767225600123456789', '"1767225600123456789"']) {
    const [record] = readLogs(Buffer.from(text(digits)), 'json').records;
    expect(record?.fields).toMatchObject({
      timeUnixNano: '1767225600123456789',
      observedTimeUnixNano: '1767225600123456789',
      body: { intValue: '1767225600123456789' },
    });
  }
});

/** A value with `depth` lists around it. */
function nested(depth: number): OtlpValue {
  let value: OtlpValue = { stringValue: 'x' };
  for (let i = 0; i < depth; i++) value = { arrayValue: { values: [value] } };
  return value;
}

describe.each(otlpFormats)('a bad record is rejected alone, with the reason: %s', (format) => {
  test.each<[string, OtlpLog, RegExp]>([
    ['a short trace id', { ...full, traceId: 'abcd' }, /^traceId: 32 hex digits/],
    ['a long span id', { ...full, spanId: 'b'.repeat(18) }, /^spanId: 16 hex digits/],
    ['a deep body', { ...full, body: nested(intakeLimits.depth + 1) }, /nests deeper than 64/],
    [
      'a deep attribute',
      { ...full, attributes: [{ key: 'k', value: nested(intakeLimits.depth + 1) }] },
      /nests deeper than 64/,
    ],
  ])('%s', (_what, bad, reason) => {
    const read = readLogs(logsOf(format, [full, bad, bare]), format);
    expect(read.count).toBe(3);
    expect(read.records.map(({ index }) => index)).toEqual([0, 2]);
    expect(read.rejected).toMatchObject([{ index: 1, message: expect.stringMatching(reason) }]);
  });

  test('the deepest value that is accepted', () => {
    const record = { ...full, body: nested(intakeLimits.depth) };
    expect(readLogs(logsOf(format, [record]), format).rejected).toEqual([]);
  });

  test.each(['', '0'.repeat(32)])('a missing trace id is no fault: "%s"', (traceId) => {
    const record = { ...bare, traceId, spanId: traceId.slice(0, 16) };
    expect(readLogs(logsOf(format, [record]), format)).toMatchObject({ count: 1, rejected: [] });
  });
});

test.each([
  ['null', 'null', /must be an object/],
  ['a text', '"x"', /must be an object/],
  ['a name that is a number', '{"eventName":1}', /eventName must be a string/],
  ['a negative time', '{"timeUnixNano":-1}', /timeUnixNano must be nanoseconds/],
  ['a word as a time', '{"observedTimeUnixNano":"now"}', /observedTimeUnixNano must be/],
  ['a body that is a text', '{"body":"x"}', /^body: /],
  ['attributes as an object', '{"attributes":{}}', /attributes must be an array/],
  ['a count that is a text', '{"droppedAttributesCount":"x"}', /unsigned 32-bit/],
])('JSON: %s', (_what, text, reason) => {
  const read = readLogs(logsOf('json', [full, Buffer.from(text), bare]), 'json');
  expect(read.records).toHaveLength(2);
  expect(read.rejected).toMatchObject([
    { index: 1, message: expect.stringMatching(reason), body: Buffer.from(text) },
  ]);
});

const deep = '['.repeat(100_000) + ']'.repeat(100_000);
test.each([
  ['of a record', `{"eventName":"gen_ai.choice","x":${deep}}`],
  ['of a value', `{"body":{"stringValue":"x","x":${deep}}}`],
  [
    'of an attribute',
    `{"attributes":[{"key":"k","x":${deep},"value":{"boolValue":true,"x":${deep}}}]}`,
  ],
])('JSON: unknown members %s are ignored, however deep', (_what, text) => {
  const read = readLogs(logsOf('json', [full, Buffer.from(text), bare]), 'json');
  expect(read).toMatchObject({ count: 3, rejected: [] });
  expect(JSON.stringify(read.records).length).toBeLessThan(10_000);
});

test('JSON: unknown members of the resource and the scope are ignored, however deep', () => {
  const text = `{"resourceLogs":[{"resource":{"attributes":[],"x":${deep}},"scopeLogs":[{"scope":{"name":"s","x":${deep}},"logRecords":[{}]}]}]}`;
  const [record] = readLogs(Buffer.from(text), 'json').records;
  expect(record?.shared).toEqual({ resource: { attributes: [] }, scope: { name: 's' } });
});

test('JSON: a rejected record is kept with its own text, however deep', () => {
  const bad = Buffer.from(`{"traceId":"ab", "ü":${deep}}`);
  const read = readLogs(logsOf('json', [full, bad, bare]), 'json');
  expect(read.rejected).toMatchObject([{ index: 1, body: bad }]);
});

test('protobuf: damage inside a record of valid length concerns that record only', () => {
  const damaged = Buffer.from([0x2a, 0x7f, 0x01]);
  const read = readLogs(logsOf('proto', [full, damaged, bare]), 'proto');
  expect(read.records).toHaveLength(2);
  expect(read.rejected).toMatchObject([
    { index: 1, message: expect.stringMatching(/^the log record is damaged/), body: damaged },
  ]);
});

test.each(otlpFormats)('a resource that nests too deep rejects all its records: %s', (format) => {
  const body = logsOf(format, [full, bare], [{ key: 'k', value: nested(intakeLimits.depth + 1) }]);
  const read = readLogs(body, format);
  expect(read.records).toEqual([]);
  expect(read.rejected).toHaveLength(2);
  expect(read.rejected[0]?.message).toMatch(/^resource: .*nests deeper than 64/);
});

test.each<[string, OtlpFormat, Buffer]>([
  ['text that is not JSON', 'json', Buffer.from('{')],
  ['a list', 'json', Buffer.from('[]')],
  ['records in an object', 'json', Buffer.from('{"resourceLogs":{}}')],
  ['bytes of another format', 'proto', Buffer.from('{"resourceLogs":[]}')],
  ['a cut message', 'proto', logsOf('proto', [full]).subarray(0, -3)],
])('a body that is not an export request is refused as a whole: %s', (_what, format, body) => {
  expect(() => readLogs(body, format)).toThrowError(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});

test.each(otlpFormats)('more than 50,000 records are too large: %s', (format) => {
  const maxRecords = Array.from({ length: intakeLimits.spansPerRequest }, () => ({}));
  expect(readLogs(logsOf(format, maxRecords), format).count).toBe(50_000);
  expect(() => readLogs(logsOf(format, [...maxRecords, {}]), format)).toThrowError(
    /50000 log records/,
  );
});

/** Null when the body is refused. Any other error fails the test. */
function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof AssayError) return null;
    throw error;
  }
}

test('arbitrary and changed bytes are read or refused, and never break the reader', () => {
  const sample = { json: logsOf('json', [full, bare]), proto: logsOf('proto', [full, bare]) };
  fc.assert(
    fc.property(
      fc.constantFrom(...otlpFormats),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
      fc.nat(),
      (format, changes, cutAt) => {
        const body = Buffer.from(sample[format]);
        for (const [at, byte] of changes) body[at % body.length] = byte;
        const sent = cutAt % 3 === 0 ? body.subarray(0, cutAt % body.length) : body;
        const read = attempt(() => readLogs(sent, format));
        expect(read === null || read.records.length + read.rejected.length === read.count).toBe(
          true,
        );
      },
    ),
    { numRuns: caseCount(2000) },
  );
});
