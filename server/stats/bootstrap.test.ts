import { expect, test } from 'vitest';
import { bca, bcaOfCounts, quantile } from './bootstrap';
import { createRandom, normalDraw } from './random';
import { youden } from './summary';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;
const v1 = [42, 8, 15, 135];
const j = ([caught = 0, missed = 0, rejected = 0, passed = 0]: readonly number[]): number | null =>
  youden({ caught, missed, rejected, passed });

test('calibration.md 5.1 BCa: the same for the same seed, and close to the plain interval of a mean', () => {
  const random = createRandom(3);
  const values = Array.from({ length: 200 }, () => normalDraw(random));
  const interval = bca(values, mean, { seed: 5 });
  expect(interval).toEqual(bca(values, mean, { seed: 5 }));
  expect(interval).not.toEqual(bca(values, mean, { seed: 6 }));
  const deviation = Math.sqrt(
    values.reduce((sum, one) => sum + (one - mean(values)) ** 2, 0) / 199 / 200,
  );
  expect(Math.abs((interval?.low ?? 0) - (mean(values) - 1.96 * deviation))).toBeLessThan(
    0.15 * deviation,
  );
  expect(Math.abs((interval?.high ?? 0) - (mean(values) + 1.96 * deviation))).toBeLessThan(
    0.15 * deviation,
  );
});

test('calibration.md 5.1 BCa of a skewed mean extends to the long side, unlike a percentile interval', () => {
  const random = createRandom(4);
  const values = Array.from({ length: 40 }, () => -Math.log(1 - random()));
  const interval = bca(values, mean, { seed: 5, resamples: 10_000 });
  const drawn: number[] = [];
  for (let i = 0; i < 10_000; i++)
    drawn.push(mean(values.map(() => values[Math.floor(random() * 40)] ?? 0)));
  drawn.sort((a, b) => a - b);
  expect(interval?.low).toBeGreaterThan(quantile(drawn, 0.025));
  expect(interval?.high).toBeGreaterThan(quantile(drawn, 0.975));
});

test('calibration.md 5.1 BCa of clusters is wider than that of their rows', () => {
  const random = createRandom(9);
  const clusters = Array.from({ length: 30 }, () =>
    new Array<number>(10).fill(random() < 0.5 ? 1 : 0),
  );
  const whole = bca(clusters, (sample) => mean(sample.flat()), { seed: 1 });
  const rows = bca(clusters.flat(), mean, { seed: 1 });
  expect((whole?.high ?? 0) - (whole?.low ?? 0)).toBeGreaterThan(
    2 * ((rows?.high ?? 0) - (rows?.low ?? 0)),
  );
});

test('calibration.md 5.1 BCa of counts equals that of the items', () => {
  const items = v1.flatMap((count, cell) => new Array<number>(count).fill(cell));
  const ofItems = bca(
    items,
    (sample) => j(v1.map((_, cell) => sample.filter((one) => one === cell).length)),
    { seed: 2, resamples: 8000 },
  );
  const ofCounts = bcaOfCounts(v1, j, { seed: 3, resamples: 8000 });
  expect(ofCounts?.low).toBeCloseTo(ofItems?.low ?? 0, 1.7);
  expect(ofCounts?.high).toBeCloseTo(ofItems?.high ?? 0, 1.7);
  // The standard error of V1's J by the delta method is 0.0573.
  expect((ofCounts?.high ?? 0) - (ofCounts?.low ?? 0)).toBeCloseTo(2 * 1.96 * 0.0573, 1.5);
  expect(bcaOfCounts([420_000, 80_000, 150_000, 1_350_000], j, { seed: 3 })?.low).toBeCloseTo(
    0.7388,
    3,
  );
});

test('calibration.md 5.1 BCa covers: of 400 samples of a share, about 95 in 100 intervals contain it', () => {
  const random = createRandom(77);
  let held = 0;
  for (let run = 0; run < 400; run++) {
    const bad = Array.from({ length: 80 }, () => (random() < 0.3 ? 1 : 0)).reduce<number>(
      (sum, one) => sum + one,
      0,
    );
    const interval = bcaOfCounts([bad, 80 - bad], ([k = 0, rest = 0]) => k / (k + rest), {
      seed: run,
      resamples: 500,
    });
    if (interval && interval.low <= 0.3 && interval.high >= 0.3) held++;
  }
  expect(held / 400).toBeGreaterThan(0.91);
  expect(held / 400).toBeLessThan(0.985);
});

test('X-12 calibration.md 5.1 a statistic without a value, or with one in too few resamples, has no interval', () => {
  expect(bca([], mean, { seed: 1 })).toBeNull();
  expect(bca([1], mean, { seed: 1 })).toBeNull();
  expect(bca([1, 2, 3], () => null, { seed: 1 })).toBeNull();
  expect(bcaOfCounts([1, 1, 0, 0], j, { seed: 1 })).toBeNull();
  // Two of a hundred are bad: many resamples contain none.
  expect(bcaOfCounts([2, 0, 8, 90], j, { seed: 1 })).toBeNull();
  expect(bca([1, 1, 1], mean, { seed: 1 })).toEqual({ low: 1, high: 1 });
});
