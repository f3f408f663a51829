import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../platform';
import { BodyGuard } from './body-guard';

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const key = fc
  .record({
    letters: fc.constantFrom('ivrwg', 'i', 'gr', 'ivrwgmp'),
    id: fc.string({
      unit: fc.constantFrom(...'0123456789abcdef'.split('')),
      minLength: 20,
      maxLength: 20,
    }),
    secret: fc
      .string({
        unit: fc.oneof(
          { weight: 12, arbitrary: fc.constantFrom(...characters.split('')) },
          { weight: 1, arbitrary: fc.constantFrom('asy_', 'asy_i_0', 'as') },
        ),
        minLength: 27,
        maxLength: 27,
      })
      .map((text) => text.slice(0, 27)),
  })
  .map(({ letters, id, secret }) => {
    const body = `asy_${letters}_${id}_${secret}`;
    return body + sha256(body).slice(0, 6);
  });
const prose = fc.string({
  unit: fc.constantFrom('a', 's', 'y', '_', 'asy_', '"', ' ', 'é'),
  maxLength: 60,
});
const mistyped = (text: string): string => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');

/** The bytes that passed, and the fault that stopped the rest. */
function guard(body: Buffer, cuts: readonly number[]): { sent: Buffer; fault: string | null } {
  const places = [...cuts.map((cut) => cut % (body.length + 1)), 0, body.length].sort(
    (a, b) => a - b,
  );
  const guarded = new BodyGuard();
  const sent: Buffer[] = [];
  for (let n = 1; n < places.length; n++) {
    const safe = guarded.push(body.subarray(places[n - 1], places[n]));
    if (!Buffer.isBuffer(safe)) return { sent: Buffer.concat(sent), fault: safe.fault };
    sent.push(safe);
  }
  return { sent: Buffer.concat([...sent, guarded.end() ?? Buffer.alloc(0)]), fault: null };
}

describe('S-122 Assay keys in bodies', () => {
  it('S-122 a key is found at any position and chunk boundary, and no byte of it goes up', () => {
    fc.assert(
      fc.property(
        prose,
        key,
        prose,
        fc.array(fc.nat(), { maxLength: 20 }),
        (before, own, after, cuts) => {
          const { sent, fault } = guard(Buffer.from(before + own + after), cuts);
          expect(fault).toContain('contains an Assay key');
          expect(fault).not.toContain(own);
          expect(Buffer.from(before).subarray(0, sent.length).equals(sent)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('S-122 text that only looks like a key goes up byte for byte', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(prose, key.map(mistyped)), { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (parts, cuts) => {
          const body = Buffer.from(parts.join('.'));
          expect(guard(body, cuts)).toEqual({ sent: body, fault: null });
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['{"model":"m","metadata":{"assay_key":"KEY"}}', '"assay_key"'],
    ['{"metadata": {"x": ["KEY"]}}', '"x"'],
    ['{"user":"me KEY"}', '"user"'],
  ])('S-122 the member is named: %s', (body, member) => {
    const [own = ''] = fc.sample(key, { numRuns: 1, seed: 1 });
    expect(guard(Buffer.from(body.replace('KEY', own)), []).fault).toContain(
      `in the member ${member}`,
    );
  });

  it('S-122 more than 100 texts of that shape count as keys: hashing them all would block the process', () => {
    const [own = ''] = fc.sample(key, { numRuns: 1, seed: 2 });
    const wrong = `${mistyped(own)} `;
    expect(guard(Buffer.from(wrong.repeat(100)), []).fault).toBe(null);
    expect(guard(Buffer.from(wrong.repeat(101)), []).fault).toContain('contains an Assay key');
  });
});
