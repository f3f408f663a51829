// How often the interval of the displayed corrected share contains the truth, in 32 settings
// (calibration.md 5.4): the share of bad items 0.05 to 0.4, sensitivity and specificity 0.55 to
// 0.95, labels drawn with unequal probabilities or enriched with bad items. 125 runs per setting,
// 10,000 under ASSAY_LONG=1 (`npm run test:long`).
import { expect, test } from 'vitest';
import { reportFigure } from '../../testing/figures';
import type { Matrix } from '../domain';
import type { WeightedCell, WeightedCells } from './corrected';
import { type Correction, correctionFor } from './choose-correction';
import { equalCells } from './cells-fixture';
import { binomialDraw, createRandom } from './random';

const runs = process.env.ASSAY_LONG === '1' ? 10_000 : 125;
/** The random deviation of a coverage of 95% in this many runs, at three standard errors. */
const chance = 3 * Math.sqrt((0.95 * 0.05) / runs);
const decidedAll = 4000;

interface Setting {
  readonly share: number;
  readonly sensitivity: number;
  readonly specificity: number;
  readonly labels: number;
}
type Random = ReturnType<typeof createRandom>;
type Design = (random: Random, setting: Setting) => Correction;

/** The machine's verdicts on these numbers of items, by their truth. */
function judge(
  random: Random,
  bad: number,
  good: number,
  { sensitivity, specificity }: Setting,
): Matrix {
  const caught = binomialDraw(random, bad, sensitivity);
  const rejected = binomialDraw(random, good, 1 - specificity);
  return { caught, missed: bad - caught, rejected, passed: good - rejected };
}

const noCell: WeightedCell = { n: 0, weight: 0, square: 0 };
const none: WeightedCells = { caught: noCell, missed: noCell, rejected: noCell, passed: noCell };
const cellNames = ['caught', 'missed', 'rejected', 'passed'] as const;

/**
 * An audit whose rate was tripled half-way: every item is labelled with the probability of its
 * half.
 */
const unequal: Design = (random, setting) => {
  const cells = { ...none };
  let flagged = 0;
  for (const rate of [0.5, 1.5]) {
    const probability = (rate * setting.labels) / decidedAll;
    const bad = binomialDraw(random, decidedAll / 2, setting.share);
    const said = judge(random, bad, decidedAll / 2 - bad, setting);
    flagged += said.caught + said.rejected;
    for (const cell of cellNames) {
      const n = binomialDraw(random, said[cell], probability);
      const before = cells[cell];
      cells[cell] = {
        n: before.n + n,
        weight: before.weight + n / probability,
        square: before.square + n / probability ** 2,
      };
    }
  }
  const matrix = {
    caught: cells.caught.n,
    missed: cells.missed.n,
    rejected: cells.rejected.n,
    passed: cells.passed.n,
  };
  const labelled = matrix.caught + matrix.missed + matrix.rejected + matrix.passed;
  const rest = {
    flagged: flagged - matrix.caught - matrix.rejected,
    decided: decidedAll - labelled,
  };
  return correctionFor({
    sample: cells,
    matrix,
    ...rest,
    all: { flagged, decided: decidedAll },
    turned: rest,
  });
};

/**
 * Half of the labels are of bad items, chosen independently of the machine's verdict; everything
 * else is unlabelled.
 */
const enriched: Design = (random, setting) => {
  const matrix = judge(random, setting.labels / 2, setting.labels / 2, setting);
  const bad = binomialDraw(random, decidedAll, setting.share);
  const said = judge(random, bad, decidedAll - bad, setting);
  const production = { flagged: said.caught + said.rejected, decided: decidedAll };
  const sample = equalCells({ caught: 0, missed: 0, rejected: 0, passed: 0 });
  return correctionFor({ sample, matrix, ...production, all: production, turned: production });
};

function coverageOf(
  design: Design,
  setting: Setting,
  seed: number,
): { readonly coverage: number; readonly given: number } {
  const random = createRandom(seed);
  let [held, given] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const { shown, ppi, labelsOnly, roganGladen } = design(random, setting);
    const estimate =
      shown === null ? null : { ppi, labels_only: labelsOnly, rogan_gladen: roganGladen }[shown];
    if (estimate === null) continue;
    given++;
    if (estimate.low <= setting.share && setting.share <= estimate.high) held++;
  }
  return { coverage: held / given, given: given / runs };
}

const judges = [
  { sensitivity: 0.55, specificity: 0.95 },
  { sensitivity: 0.95, specificity: 0.55 },
  { sensitivity: 0.75, specificity: 0.75 },
  { sensitivity: 0.95, specificity: 0.95 },
];
const designs = [
  { name: 'unequal probabilities', design: unequal, labels: 300 },
  { name: 'enriched labels', design: enriched, labels: 200 },
];
const settings = designs.flatMap((each) =>
  [0.05, 0.1, 0.2, 0.4].flatMap((share) =>
    judges.map((rates) => ({ ...each, setting: { ...rates, share, labels: each.labels } })),
  ),
);

test(`calibration.md 5.4 the interval of the displayed corrected share covers 94 to 96 % in each of ${settings.length} settings`, () => {
  const measured = settings.map(({ name, design, setting }, n) => {
    const { share, sensitivity, specificity, labels } = setting;
    return {
      name: `${name} ${share}/${sensitivity}/${specificity}/${labels}`,
      ...coverageOf(design, setting, 24_000 + n),
    };
  });
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  reportFigure(
    `Coverage of the corrected share shown (share/sensitivity/specificity/labels), ${runs} runs`,
    Object.fromEntries(
      measured.map(({ name, coverage, given }) => [
        name,
        `${percent(coverage)}${given < 1 ? `, given in ${percent(given)}` : ''}`,
      ]),
    ),
  );
  const off = measured.filter(
    ({ coverage }) => coverage < 0.94 - chance || coverage > 0.96 + chance,
  );
  expect(off, 'settings whose interval covers less than 94 or more than 96 %').toEqual([]);
}, 7_200_000);
