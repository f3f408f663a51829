import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scored } from './curves';
import {
  betaCalibration,
  brier,
  ece,
  type Forecast,
  isotonic,
  logLoss,
  platt,
  temperature,
} from './probability';
import { createRandom } from './random';
import { logit, sigmoid } from './regression';

const scores = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05];
const truth = [1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0];
const vector: Forecast[] = scores.map((p, i) => ({ p, y: truth[i] === 1 ? 1 : 0 }));
const scored: Scored[] = vector.map(({ p, y }) => ({ score: p, bad: y === 1 }));

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
      const told = brier(items);
      if (!told) throw new Error('no score');
      expect(told.reliability - told.resolution + told.uncertainty).toBeCloseTo(told.value, 12);
      expect(Math.min(told.reliability, told.resolution, told.uncertainty)).toBeGreaterThanOrEqual(
        0,
      );
    }),
    { seed: 56, numRuns: 200 },
  );
});

test('calibration.md 5.6 bins hold every item once, an end belongs to the bin below, equal forecasts stay together', () => {
  fc.assert(
    fc.property(forecasts, fc.integer({ min: 1, max: 12 }), (items, bins) => {
      for (const kind of ['equal-mass', 'equal-width'] as const) {
        const told = ece(items, { bins, kind });
        if (!told) throw new Error('no bins');
        expect(told.bins.reduce((sum, bin) => sum + bin.n, 0)).toBe(items.length);
        expect(told.bins.length).toBeLessThanOrEqual(bins);
        expect(told.bins.reduce((sum, bin) => sum + bin.came, 0)).toBe(
          items.filter(({ y }) => y === 1).length,
        );
        const byHand = told.bins.reduce(
          (sum, bin) => sum + (bin.n / items.length) * Math.abs(bin.mean - bin.came / bin.n),
          0,
        );
        expect(told.value).toBeCloseTo(byHand, 12);
        for (const bin of told.bins) {
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

test('calibration.md 5.6 log loss is by the definition, and a certain miss costs much but not all', () => {
  expect(
    logLoss([
      { p: 0.8, y: 1 },
      { p: 0.4, y: 0 },
    ]),
  ).toBeCloseTo(-(Math.log(0.8) + Math.log(0.6)) / 2, 12);
  expect(logLoss([{ p: 0, y: 1 }])).toBeCloseTo(34.54, 2);
  expect(logLoss([{ p: 1, y: 1 }])).toBeCloseTo(0, 12);
});

test('calibration.md 5.6 the vector: pool adjacent violators gives 0, 0, 0, six of .5, 1, 1, 1', () => {
  const fit = isotonic(scored);
  expect(fit?.steps.flatMap(({ n, value }) => new Array<number>(n).fill(value))).toEqual([
    0, 0, 0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 1,
  ]);
  expect([0, 0.05, 0.2, 0.3, 0.8, 0.85, 2].map((score) => fit?.map(score))).toEqual([
    0, 0, 0, 0.5, 0.5, 1, 1,
  ]);
  expect(fit?.map(0.25)).toBeCloseTo(0.25, 12);
});

/**
 * Least squares among all ascending fits: value at i is max over a <= i of min over b >= i of the
 * mean of a..b.
 */
function minimax(values: readonly number[]): number[] {
  const mean = (a: number, b: number): number =>
    values.slice(a, b + 1).reduce((sum, one) => sum + one, 0) / (b - a + 1);
  return values.map((_, i) => {
    const of = Array.from({ length: i + 1 }, (_one, a) =>
      Math.min(...values.slice(i).map((_other, k) => mean(a, i + k))),
    );
    return Math.max(...of);
  });
}

test('calibration.md 5.6 isotonic is the minimax formula of ascending least squares', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 25 }), (bads) => {
      const steps = isotonic(bads.map((bad, score) => ({ score, bad })))?.steps ?? [];
      const fitted = steps.flatMap(({ n, value }) => new Array<number>(n).fill(value));
      const expected = minimax(bads.map(Number));
      for (const [i, value] of fitted.entries())
        expect(value).toBeCloseTo(expected[i] ?? Number.NaN, 12);
    }),
    { seed: 562, numRuns: 100 },
  );
});

const made = (n: number, of: (x: number) => number): Forecast[] => {
  const random = createRandom(n);
  return Array.from({ length: n }, () => {
    const p = 0.02 + 0.96 * random();
    return { p, y: random() < of(p) ? 1 : 0 };
  });
};

test("calibration.md 5.6 Platt: at the fit the slopes of the likelihood with Platt's targets are 0", () => {
  const fit = platt(scored);
  if (!fit) throw new Error('no fit');
  const off = scored.map(({ score, bad }) => fit.map(score) - (bad ? 7 / 8 : 1 / 8));
  expect(off.reduce((sum, one) => sum + one, 0)).toBeCloseTo(0, 9);
  expect(off.reduce((sum, one, i) => sum + one * (scored[i]?.score ?? 0), 0)).toBeCloseTo(0, 9);
  expect(fit.a).toBeGreaterThan(0);
  // Parted classes have a fit too: that is what the targets are for.
  expect(platt(scored.map(({ score }) => ({ score, bad: score > 0.5 })))?.a).toBeGreaterThan(3);
});

test('calibration.md 5.6 temperature finds how over-confident forecasts are, beta calibration its two slopes', () => {
  expect(temperature(made(20_000, (p) => sigmoid(logit(p) / 2)))?.temperature).toBeCloseTo(2, 0.8);
  expect(temperature(made(20_000, (p) => p))?.temperature).toBeCloseTo(1, 1);
  const bent = betaCalibration(
    made(20_000, (p) => sigmoid(1.5 * Math.log(p) - 0.5 * Math.log1p(-p) + 0.3)),
  );
  expect(Math.abs((bent?.a ?? 0) - 1.5)).toBeLessThan(0.15);
  expect(Math.abs((bent?.b ?? 0) - 0.5)).toBeLessThan(0.1);
  expect(Math.abs((bent?.c ?? 0) - 0.3)).toBeLessThan(0.15);
  expect(bent?.map(0.5)).toBeCloseTo(
    sigmoid((bent?.a ?? 0) * Math.log(0.5) - (bent?.b ?? 0) * Math.log(0.5) + (bent?.c ?? 0)),
    12,
  );
});

test('calibration.md 5.6 each mapping lessens the log loss of over-confident forecasts it never saw, and keeps their order', () => {
  const all = made(6000, (p) => sigmoid(logit(p) / 3));
  const [fitted, held] = [all.slice(0, 3000), all.slice(3000)];
  const maps = [
    platt(fitted.map(({ p, y }) => ({ score: p, bad: y === 1 })))?.map,
    temperature(fitted)?.map,
    isotonic(fitted.map(({ p, y }) => ({ score: p, bad: y === 1 })))?.map,
    betaCalibration(fitted)?.map,
  ];
  for (const map of maps) {
    if (!map) throw new Error('no fit');
    expect(
      logLoss(held.map(({ p, y }) => ({ p: Math.min(0.999, Math.max(0.001, map(p))), y }))),
    ).toBeLessThan(logLoss(held) ?? 0);
    for (let p = 0.02; p < 0.98; p += 0.02)
      expect(map(p)).toBeLessThanOrEqual(map(p + 0.02) + 1e-12);
  }
});

test('calibration.md 5.6 beta calibration turns no order round: a slope below 0 is left out, and if nothing is left there is none', () => {
  const bent = betaCalibration(
    made(8000, (p) => sigmoid(2 * Math.log(p) + 1.2 * Math.log1p(-p) + 2)),
  );
  expect(bent?.b).toBe(0);
  expect(bent?.a).toBeGreaterThan(0);
  expect(betaCalibration(made(4000, (p) => 1 - p))).toBeNull();
});

test('X-12 calibration.md 5.6 of nothing, or of one class, there is no score and no fit; what is no probability is refused', () => {
  const ones: Forecast[] = vector.map(({ p }) => ({ p, y: 1 }));
  const bads: Scored[] = ones.map(({ p }) => ({ score: p, bad: true }));
  expect([
    brier([]),
    logLoss([]),
    ece([]),
    platt([]),
    temperature([]),
    isotonic([]),
    betaCalibration([]),
  ]).toEqual(new Array(7).fill(null));
  expect([
    platt(bads),
    platt(scored.map(({ bad }) => ({ score: 1, bad }))),
    betaCalibration(ones),
  ]).toEqual([null, null, null]);
  expect(temperature(made(2000, (p) => 1 - p))).toBeNull();
  expect(() => brier([{ p: 1.1, y: 1 }])).toThrow(RangeError);
  expect(() => ece([{ p: Number.NaN, y: 1 }])).toThrow(RangeError);
});
