import { createHash, randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseKey, sameHash } from './keys';

const pairs = process.env.ASSAY_TEST_LONG === '1' ? 10_000 : 3_000;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function keyOf(id: string, secret: string): string {
  const body = `asy_i_${id}_${secret}`;
  return body + createHash('sha256').update(body).digest('hex').slice(0, 6);
}

/** The secret with another character at `place`. */
function differingAt(secret: string, place: number): string {
  const rest = alphabet.replace(secret.charAt(place), '');
  return secret.slice(0, place) + rest.charAt(randomInt(rest.length)) + secret.slice(place + 1);
}

interface Sample {
  readonly size: number;
  readonly mean: number;
  readonly variance: number;
}

function sampleOf(times: readonly number[]): Sample {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const variance = times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (times.length - 1);
  return { size: times.length, mean, variance };
}

/** Welch 1947: t = (x̄ − ȳ) / √(s²x/n + s²y/m). */
function welch(a: Sample, b: Sample): number {
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.size + b.variance / b.size);
}

/**
 * Times of refusing keys that differ only in the last character of the secret, and of keys that
 * differ in the first, interleaved.
 */
function measure(): number {
  const id = randomBytes(10).toString('hex');
  const secret = randomBytes(20).toString('base64url');
  const stored = parseKey(keyOf(id, secret));
  if (stored === null) throw new Error('the key does not parse');
  // Created before, so that their creation is not measured; alternating, so that drift affects both
  // equally.
  const keys = Array.from({ length: pairs * 2 }, (_, index) =>
    keyOf(id, differingAt(secret, index % 2 === 0 ? secret.length - 1 : 0)),
  );
  const check = (key: string): boolean => {
    const parsed = parseKey(key);
    return parsed !== null && sameHash(parsed.secretHash, stored.secretHash);
  };
  for (const key of keys) if (check(key)) throw new Error('a wrong key is taken');
  const times: [number[], number[]] = [[], []];
  keys.forEach((key, index) => {
    const begun = process.hrtime.bigint();
    check(key);
    times[index % 2 === 0 ? 0 : 1].push(Number(process.hrtime.bigint() - begun));
  });
  // Pauses of the machine or the garbage collector are unrelated to the code: times over twice the
  // common median are dropped.
  const median = [...times[0], ...times[1]].sort((a, b) => a - b)[pairs] ?? 0;
  const [near, far] = times.map((each) => sampleOf(each.filter((time) => time <= 2 * median)));
  if (near === undefined || far === undefined) throw new Error('no samples');
  return welch(near, far);
}

test(`S-12: over ${pairs} pairs, a wrong secret that is nearly right is refused in the time of one that differs at once`, () => {
  const tries: number[] = [];
  // A leak shows in every measurement, but noise does not: one clean measurement of three is
  // enough.
  while (tries.length < 3 && !tries.some((t) => Math.abs(t) < 4.5)) tries.push(measure());
  expect(
    Math.min(...tries.map(Math.abs)),
    `Welch t of ${tries.map((t) => t.toFixed(2)).join(', ')}`,
  ).toBeLessThan(4.5);
});
