// How often the 95% intervals of calibration.md 5.4 contain the truth, by simulation: 3,000 runs
// per setting, 20,000 under ASSAY_LONG=1.
import { expect, test } from 'vitest';
import { reportFigure } from '../../testing/figures';
import { labelsOnly, naiveShare, ppi, roganGladen } from './corrected';
import { equalCells } from './cells-fixture';
import type { Interval } from './intervals';
import { binomialDraw, createRandom } from './random';

const runs = process.env.ASSAY_LONG === '1' ? 20_000 : 3000;
/**
 * The random deviation of a coverage of 95% in this many runs, at four standard errors, for figures
 * that are not in the specification.
 */
const chance = 4 * Math.sqrt((0.95 * 0.05) / runs);

interface Setting {
  readonly share: number;
  readonly sensitivity: number;
  readonly specificity: number;
  readonly labels: number;
  readonly unlabelled: number;
}

type Method = 'naive' | 'labels only' | 'Rogan-Gladen' | 'Rogan-Gladen, small samples' | 'PPI++';
type Coverage = Record<
  Method,
  { readonly coverage: number; readonly width: number; readonly given: number }
>;

function simulate(
  { share, sensitivity, specificity, labels, unlabelled }: Setting,
  seed: number,
): Coverage {
  const random = createRandom(seed);
  const sums = new Map<Method, { held: number; width: number; given: number }>();
  const note = (method: Method, interval: Interval | null): void => {
    const sum = sums.get(method) ?? { held: 0, width: 0, given: 0 };
    if (interval) {
      sum.given++;
      sum.width += interval.high - interval.low;
      if (interval.low <= share && interval.high >= share) sum.held++;
    }
    sums.set(method, sum);
  };
  for (let run = 0; run < runs; run++) {
    const bad = binomialDraw(random, labels, share);
    const caught = binomialDraw(random, bad, sensitivity);
    const rejected = binomialDraw(random, labels - bad, 1 - specificity);
    const matrix = { caught, missed: bad - caught, rejected, passed: labels - bad - rejected };
    const badUnlabelled = binomialDraw(random, unlabelled, share);
    const flagged =
      binomialDraw(random, badUnlabelled, sensitivity) +
      binomialDraw(random, unlabelled - badUnlabelled, 1 - specificity);
    const production = { flagged, decided: unlabelled };
    note('naive', naiveShare(flagged, unlabelled));
    note('labels only', labelsOnly(equalCells(matrix)));
    note('Rogan-Gladen', roganGladen({ ...production, matrix }));
    note('Rogan-Gladen, small samples', roganGladen({ ...production, matrix, smallSample: true }));
    note('PPI++', ppi({ ...production, cells: equalCells(matrix) }));
  }
  return Object.fromEntries(
    [...sums].map(([method, { held, width, given }]) => [
      method,
      { coverage: held / given, width: width / given, given: given / runs },
    ]),
  ) as Coverage;
}

function report(name: string, measured: Coverage): void {
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  const figures = Object.entries(measured).map(([method, { coverage, width, given }]) => {
    const refused = given < 1 ? `, given in ${percent(given)}` : '';
    return [method, `${percent(coverage)} of width ${width.toFixed(3)}${refused}`];
  });
  reportFigure(`Coverage ${name}, ${runs} runs`, Object.fromEntries(figures));
}

const point = 0.015;
const far = (value: number, other: number): number => Math.abs(value - other);

test('calibration.md 5.4 coverage at .2/.85/.9/200/5000: labels only, Rogan-Gladen and PPI++ cover the truth, the naive interval never does', () => {
  const measured = simulate(
    { share: 0.2, sensitivity: 0.85, specificity: 0.9, labels: 200, unlabelled: 5000 },
    54_001,
  );
  report('.2/.85/.9/200/5000', measured);
  expect(measured.naive.coverage).toBeLessThan(0.001);
  expect(far(measured['labels only'].coverage, 0.948)).toBeLessThan(point);
  expect(far(measured['Rogan-Gladen'].coverage, 0.962)).toBeLessThan(point);
  expect(far(measured['PPI++'].coverage, 0.944)).toBeLessThan(point);
  expect(far(measured['labels only'].width, 0.111)).toBeLessThan(0.002);
  expect(far(measured['Rogan-Gladen'].width, 0.122)).toBeLessThan(0.002);
  expect(far(measured['PPI++'].width, 0.081)).toBeLessThan(0.002);
  expect(measured['Rogan-Gladen, small samples'].coverage).toBeGreaterThan(0.95 - chance);
});

test('calibration.md 5.4 coverage at .2/.7/.8/200/5000: a weak judge makes Rogan-Gladen wide, PPI++ not', () => {
  const measured = simulate(
    { share: 0.2, sensitivity: 0.7, specificity: 0.8, labels: 200, unlabelled: 5000 },
    54_002,
  );
  report('.2/.7/.8/200/5000', measured);
  expect(measured.naive.coverage).toBeLessThan(0.001);
  // Clipped to 0 and 1, as the specification requires, and refused if J is doubtful: both shorten
  // the widest intervals.
  expect(far(measured['Rogan-Gladen'].width, 0.248)).toBeLessThan(point);
  expect(far(measured['PPI++'].width, 0.1)).toBeLessThan(0.002);
  for (const method of ['labels only', 'Rogan-Gladen', 'PPI++'] as const)
    expect(measured[method].coverage).toBeGreaterThan(0.935 - chance);
});

test('calibration.md 5.4 coverage at .1/.85/.9/60/5000: with few labels PPI++ covers only 90 %, and labels alone cover enough', () => {
  const measured = simulate(
    { share: 0.1, sensitivity: 0.85, specificity: 0.9, labels: 60, unlabelled: 5000 },
    54_003,
  );
  report('.1/.85/.9/60/5000', measured);
  expect(far(measured['PPI++'].coverage, 0.901)).toBeLessThan(point);
  expect(measured['labels only'].coverage).toBeGreaterThan(0.95 - chance);
});
