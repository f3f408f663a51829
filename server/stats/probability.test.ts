import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brier, ece, type Forecast } from './probability';

const scores = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05];
const truth = [1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0];
const vector: Forecast[] = scores.map((p, i) => ({ p, y: truth[i] === 1 ? 1 : 0 }));

const forecasts = fc.array(
  fc.record({
    p: fc.integer({ min: 0, max: 10 }).map((k) => k / 10),
    y: fc.constantFrom<0 | 1>(0, 1),
  }),
  {
    minLength: 1,
    maxLength: 60,
  },
);

test('calibration.md 5.6 the vector: Brier 0.1708, and ECE 0.2083 of five bins of equal width', () => {
  expect(brier(vector)?.value).toBeCloseTo(0.1708, 4);
  expect(ece(vector, { bins: 5, kind: 'equal-width' })?.value).toBeCloseTo(0.2083, 4);
});

test('calibration.md 5.6 Murphy: reliability − resolution + uncertainty is the Brier score', () => {
  fc.assert(
    fc.property(forecasts, (items) => {
      const result = brier(items);
      if (!result) throw new Error('no score');
      expect(result.reliability - result.resolution + result.uncertainty).toBeCloseTo(
        result.value,
        12,
      );
      expect(
        Math.min(result.reliability, result.resolution, result.uncertainty),
      ).toBeGreaterThanOrEqual(0);
    }),
    { seed: 56, numRuns: 200 },
  );
});

test('calibration.md 5.6 bins contain every item once, an end belongs to the bin below, equal forecasts stay together', () => {
  fc.assert(
    fc.property(forecasts, fc.integer({ min: 1, max: 12 }), (items, bins) => {
      for (const kind of ['equal-mass', 'equal-width'] as const) {
        const result = ece(items, { bins, kind });
        if (!result) throw new Error('no bins');
        expect(result.bins.reduce((sum, bin) => sum + bin.n, 0)).toBe(items.length);
        expect(result.bins.length).toBeLessThanOrEqual(bins);
        expect(result.bins.reduce((sum, bin) => sum + bin.came, 0)).toBe(
          items.filter(({ y }) => y === 1).length,
        );
        const byHand = result.bins.reduce(
          (sum, bin) => sum + (bin.n / items.length) * Math.abs(bin.mean - bin.came / bin.n),
          0,
        );
        expect(result.value).toBeCloseTo(byHand, 12);
        for (const bin of result.bins) {
          const inside = items.filter(
            ({ p }) =>
              (kind === 'equal-mass' || bin.low === 0 ? p >= bin.low : p > bin.low) &&
              p <= bin.high,
          );
          expect(inside.length).toBe(bin.n);
        }
      }
    }),
    { seed: 561, numRuns: 200 },
  );
});

test('calibration.md 5.6 equal mass: thirds of the vector', () => {
  expect(
    ece(vector, { bins: 3 })?.bins.map(({ n, low, high, came }) => [n, low, high, came]),
  ).toEqual([
    [4, 0.05, 0.3, 1],
    [4, 0.4, 0.7, 2],
    [4, 0.8, 0.95, 3],
  ]);
});

test('X-12 calibration.md 5.6 an invalid probability is refused', () => {
  expect(() => brier([{ p: 1.1, y: 1 }])).toThrow(RangeError);
  expect(() => ece([{ p: Number.NaN, y: 1 }])).toThrow(RangeError);
});
