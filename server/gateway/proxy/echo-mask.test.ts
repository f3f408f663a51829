import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EchoMask, secretOf } from './echo-mask';
import type { UpstreamHandler } from './forward';

/** The masked output for an answer in these chunks. */
function throughMask(
  key: string,
  chunks: readonly Buffer[],
  headers: Buffer[] = [],
  trailers: Buffer[] = [],
) {
  const seen = {
    headers: [] as string[],
    statusText: '',
    chunks: [] as Buffer[],
    trailers: [] as string[],
    ended: false,
  };
  const handler: UpstreamHandler = {
    onConnect: () => undefined,
    onHeaders(_status, raw, _resume, statusText) {
      seen.headers = raw.map((each) => each.toString('latin1'));
      seen.statusText = statusText;
      return true;
    },
    onData(chunk) {
      seen.chunks.push(chunk);
      return true;
    },
    onComplete(raw) {
      seen.trailers = (raw ?? []).map((each) => String(each));
      seen.ended = true;
    },
    onError: () => undefined,
  };
  const secret = secretOf(key);
  const mask = secret === null ? handler : new EchoMask(handler, secret);
  mask.onHeaders(200, headers, () => undefined, `OK ${key}`);
  for (const chunk of chunks) mask.onData(chunk);
  mask.onComplete(trailers as unknown as string[]);
  return { ...seen, body: Buffer.concat(seen.chunks) };
}

const cutAt = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const places = [
    0,
    ...[...cuts].map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((end, n) => bytes.subarray(places[n], end));
};

/** Few letters, so that prefixes of the key occur in the text and within the key itself. */
const text = fc.string({ unit: fc.constantFrom('s', 'k', '-', '"'), maxLength: 40 });
const keys = fc.string({ unit: fc.constantFrom('s', 'k', '-'), minLength: 8, maxLength: 12 });

describe('S-122 a stored key that an upstream repeats', () => {
  it('S-122 is masked in a body with any chunk boundaries, and nothing else changes', () => {
    fc.assert(
      fc.property(
        keys,
        fc.array(text, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (key, parts, cuts) => {
          const body = parts.join(key);
          const { body: masked, ended } = throughMask(key, cutAt(Buffer.from(body), cuts));
          expect(masked.toString()).toBe(body.replaceAll(key, '*'.repeat(key.length)));
          expect(ended).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('S-122 is masked in headers, trailers and the reason', () => {
    const key = 'sk-stored-0123456789';
    const lines = [
      Buffer.from('x-echo'),
      Buffer.from(`Bearer ${key}`),
      Buffer.from('x-other'),
      Buffer.from('kept'),
    ];
    const seen = throughMask(key, [], [...lines], [...lines]);
    const masked = ['x-echo', `Bearer ${'*'.repeat(key.length)}`, 'x-other', 'kept'];
    expect(seen).toMatchObject({
      headers: masked,
      trailers: masked,
      statusText: `OK ${'*'.repeat(key.length)}`,
    });
  });

  it('S-122 an answer without it passes in the same buffers', () => {
    const chunks = ['{"a":1', ',"b":"text"}'].map((part) => Buffer.from(part));
    const seen = throughMask('sk-stored-0123456789', chunks);
    expect(seen.chunks.every((chunk, n) => chunk === chunks[n])).toBe(true);
  });

  it.each([null, '', 'ollama', 'EMPTY'])(
    'S-122 %j is no secret: an answer may contain it',
    (key) => {
      expect(secretOf(key)).toBe(null);
    },
  );
});
