// valid requests of both encodings, randomly corrupted, many times.
import { isUtf8 } from 'node:buffer';
import { expect, test } from 'vitest';
import { fuzzExtent, fuzzOptions } from '../../../testing/fuzz/extent';
import { fuzz } from '../../../testing/fuzz/fuzz';
import { pick } from '../../../testing/fuzz/mutate';
import type { Random } from '../../../testing/seed';
import { AssayError } from '../../platform';
import { decodeSegment } from './decode-segment';
import { exportJson } from './encode-json';
import { readExport } from './read-export';
import type { SegmentFormat } from './segment';
import { encodeProto } from '../../../testing/otlp-library';

const extent = fuzzExtent(1_500, 2);

function corpus(format: SegmentFormat): Buffer[] {
  return [1, 2, 5].map((traces) => {
    const spans = Array.from({ length: 6 }, (_, n) => ({
      traceId: `${n % traces}`.repeat(32).replaceAll('0', 'a'),
      spanId: `${n + 1}`.repeat(16),
      parentSpanId: n === 0 ? '' : '1'.repeat(16),
      name: `chat "ä😀" \\ ${n}`,
      startNs: '1700000000000000001',
      endNs: '1700000000000000002',
      status: { code: 2, message: 'broke' },
      attributes: {
        text: 'It is 5 GB.',
        whole: -7,
        part: 91.4,
        yes: true,
        none: null,
        list: [1, ['x', { k: [2.5] }]],
        odd: Number.NaN,
      },
      events: [{ name: 'gen_ai.choice', timeNs: '1700000000000000001', attributes: { index: 0 } }],
      links: [{ traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) }],
      flags: 0x101,
    }));
    const text = exportJson({
      resource: { 'service.name': 'agent' },
      scope: { name: 'tests', version: '1' },
      spans,
    });
    return format === 'json' ? Buffer.from(text) : encodeProto(JSON.parse(text));
  });
}

const tokens = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  'null',
  '-1',
  '1e400',
  '9007199254740993',
  '""',
  '{}',
  '[]',
  '"a"',
  '\\ud800',
  '\0',
];
const bytes = [
  [0x00],
  [0xff],
  [0x80],
  [0x0a],
  [0x12],
  [0x13],
  [0x0b],
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0x0a, 0x00],
  [0x32, 0x02, 0x0a, 0x00],
];

function mutate(from: Buffer, format: SegmentFormat, random: Random): Buffer {
  let body = Buffer.from(from);
  for (let left = random.between(1, 4); left > 0; left--) {
    const at = random.between(0, body.length);
    const to = Math.min(body.length, at + random.between(0, random.next() < 0.8 ? 4 : 400));
    const piece =
      format === 'json' && random.next() < 0.7
        ? Buffer.from(tokens[random.between(0, tokens.length - 1)] ?? '')
        : Buffer.from(bytes[random.between(0, bytes.length - 1)] ?? []);
    const kind = random.between(0, 5);
    if (kind === 0) body = Buffer.concat([body.subarray(0, at), piece, body.subarray(at)]);
    else if (kind === 1) body = Buffer.concat([body.subarray(0, at), body.subarray(to)]);
    else if (kind === 2) body = Buffer.concat([body.subarray(0, at), piece, body.subarray(to)]);
    else if (kind === 3) body = Buffer.concat([body.subarray(0, to), body.subarray(at)]);
    else if (kind === 4) body = body.subarray(0, at);
    else if (at < body.length) body[at] = random.between(0, 255);
  }
  return body;
}

/** Reads and decodes as the intake and a reader do. Returns whether the body was accepted. */
function take(body: Buffer, format: SegmentFormat): boolean {
  try {
    const { segments, spans, rejected } = readExport(body, format, isUtf8(body));
    let stored = 0;
    for (const segment of segments) {
      const decoded = decodeSegment(format, segment.body);
      expect(decoded.map((span) => span.traceId)).toEqual(
        Array(segment.spans).fill(segment.traceId),
      );
      stored += decoded.length;
    }
    expect(stored + rejected.length).toBe(spans);
    return true;
  } catch (error) {
    if (error instanceof AssayError && error.code === 'invalid_request') return false;
    throw error;
  }
}

test.each<SegmentFormat>(['json', 'proto'])(
  'R-85 %s randomly corrupted: accepted or refused, nothing else, and never slowly',
  fuzzOptions(extent),
  (format) => {
    const valid = corpus(format);
    for (const body of valid) expect(take(body, format)).toBe(true);
    const taken = fuzz<Buffer>(`R-85 ${format}`, extent, {
      make: (random) => mutate(pick(valid, random), format, random),
      run: (body) => (take(body, format) ? 'taken' : 'refused'),
      show: (body) => body.toString('base64'),
    });
    expect(taken).toBeGreaterThan(0);
  },
);
