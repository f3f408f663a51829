import { type Matrix, newcombe, wilson, z95 } from '../../domain';
import { type Estimated, estimated } from './intervals';

/**
 * The share of bad items in production, corrected by labels for what the machine gets wrong
 * (calibration.md 5.4). All values here are shares of bad; `complement` makes the share of good of
 * one. N counts items that were decided and are not labelled, p̂ is the share of them that was
 * flagged.
 *
 * Rogan and Gladen 1978: θ = (p̂ + q₀ − 1)/J, J = q₁ + q₀ − 1, Var = (p̂(1−p̂)/N + θ²·q₁(1−q₁)/m₁ +
 * (1−θ)²·q₀(1−q₀)/m₀)/J². Labels may be enriched, but q₁ and q₀ must hold in production. Small
 * samples: Lang and Reiczigel 2014. PPI++ (Angelopoulos et al. 2023, arXiv 2311.01453): θ = ȳ +
 * λ(f̄_N − f̄_n), Var = λ²·s²_f/N + s²_{y−λf}/n, λ = Cov(y,f)/((1+n/N)·Var(f)) in 0..1, Var(f) of
 * labelled and unlabelled together. Labels are a random sample, each with the probability π that it
 * was drawn with: every mean is Hájek's, Σ(x/π)/Σ(1/π), with the variance Σ((x−x̄)²/π²)/(Σ1/π)².
 * With equal π that is the plain form.
 */
export interface Cell {
  /** Labelled items. */
  readonly n: number;
  /** Sum of 1/π, and of 1/π². */
  readonly weight: number;
  readonly square: number;
}

/** All that a corrected share needs of the random sample. */
export type Cells = { readonly [cell in keyof Matrix]: Cell };

/**
 * `y`: bad by the truth; `f`: flagged by the machine; `probability`: with which the item was drawn,
 * above 0 and at most 1.
 */
export interface Labelled {
  readonly y: 0 | 1;
  readonly f: 0 | 1;
  readonly probability: number;
}

/** @throws RangeError on a probability that is none */
export function cellsOf(labelled: readonly Labelled[]): Cells {
  const sums = { caught: [0, 0, 0], missed: [0, 0, 0], rejected: [0, 0, 0], passed: [0, 0, 0] };
  for (const { y, f, probability } of labelled) {
    if (!(probability > 0 && probability <= 1))
      throw new RangeError(`no probability of being drawn: ${probability}`);
    const sum = sums[y === 1 ? (f === 1 ? 'caught' : 'missed') : f === 1 ? 'rejected' : 'passed'];
    for (const power of [0, 1, 2]) sum[power] = (sum[power] ?? 0) + probability ** -power;
  }
  const cell = ([n = 0, weight = 0, square = 0]: number[]): Cell => ({ n, weight, square });
  return {
    caught: cell(sums.caught),
    missed: cell(sums.missed),
    rejected: cell(sums.rejected),
    passed: cell(sums.passed),
  };
}

/** The cells of a sample in which every item had the same probability. */
export function equalCells(matrix: Matrix): Cells {
  const cell = (n: number): Cell => ({ n, weight: n, square: n });
  return {
    caught: cell(matrix.caught),
    missed: cell(matrix.missed),
    rejected: cell(matrix.rejected),
    passed: cell(matrix.passed),
  };
}

interface Sample {
  readonly n: number;
  readonly weight: number;
  /** How many items with equal weights would be worth as much (Kish 1965). */
  readonly effective: number;
  readonly bad: number;
  readonly flagged: number;
  readonly both: number;
  /** Of the mean of y − λf. */
  readonly varianceOf: (lambda: number) => number;
}

/** Null without labels. */
function sampleOf(cells: Cells): Sample | null {
  const all = [cells.caught, cells.missed, cells.rejected, cells.passed];
  const n = all.reduce((sum, cell) => sum + cell.n, 0);
  const weight = all.reduce((sum, cell) => sum + cell.weight, 0);
  if (n === 0 || weight <= 0) return null;
  const square = all.reduce((sum, cell) => sum + cell.square, 0);
  const bad = (cells.caught.weight + cells.missed.weight) / weight;
  const flagged = (cells.caught.weight + cells.rejected.weight) / weight;
  const varianceOf = (lambda: number): number => {
    const mean = bad - lambda * flagged;
    const values: readonly (readonly [Cell, number])[] = [
      [cells.caught, 1 - lambda],
      [cells.missed, 1],
      [cells.rejected, -lambda],
      [cells.passed, 0],
    ];
    const sum = values.reduce(
      (total, [cell, value]) => total + cell.square * (value - mean) ** 2,
      0,
    );
    // n − 1, as a sample's variance has it.
    return n < 2 ? 0 : ((n / (n - 1)) * sum) / (weight * weight);
  };
  return {
    n,
    weight,
    effective: (weight * weight) / square,
    bad,
    flagged,
    both: cells.caught.weight / weight,
    varianceOf,
  };
}

/**
 * Of the random sample alone, by Wilson's interval on the effective number of labels. Null without
 * labels.
 */
export function labelsOnly(cells: Cells): Estimated | null {
  const sample = sampleOf(cells);
  if (!sample) return null;
  return {
    value: sample.bad,
    se: Math.sqrt(sample.varianceOf(0)),
    ...wilson(sample.bad * sample.effective, sample.effective),
  };
}

/** Flagged of decided, as if the machine were always right. Null where nothing was decided. */
export function naiveShare(flagged: number, decided: number): Estimated | null {
  if (decided === 0) return null;
  const value = flagged / decided;
  return { value, se: Math.sqrt((value * (1 - value)) / decided), ...wilson(flagged, decided) };
}

export interface Ppi extends Estimated {
  /** How far the machine is relied on: 0 is labels alone. */
  readonly lambda: number;
}

/**
 * `flagged` of `decided`: items that the machine decided and that are not among the labelled. Null
 * with fewer than two labels. With nothing unlabelled λ is 0. `lambda`: instead of the best.
 */
export function ppi(input: {
  readonly cells: Cells;
  readonly flagged: number;
  readonly decided: number;
  readonly lambda?: number;
}): Ppi | null {
  const sample = sampleOf(input.cells);
  if (!sample || sample.n < 2) return null;
  const { decided } = input;
  if (decided === 0)
    return { ...estimated(sample.bad, Math.sqrt(sample.varianceOf(0)), 0, 1), lambda: 0 };
  const labelledFlags = input.cells.caught.n + input.cells.rejected.n;
  // All that was decided: with unequal probabilities neither part alone is a picture of it. With
  // equal ones f̄_N − f̄_n comes out.
  const all = decided + sample.n;
  const whole = (input.flagged + labelledFlags) / all;
  const difference = (all / decided) * (whole - sample.flagged);
  const unlabelled = input.flagged / decided;
  const together = whole * (1 - whole);
  const shared = sample.both - sample.bad * sample.flagged;
  const best = together === 0 ? 0 : shared / ((1 + sample.effective / decided) * together);
  const lambda = Math.min(1, Math.max(0, input.lambda ?? best));
  const variance =
    (lambda * lambda * unlabelled * (1 - unlabelled)) / decided + sample.varianceOf(lambda);
  return { ...estimated(sample.bad + lambda * difference, Math.sqrt(variance), 0, 1), lambda };
}

/**
 * Below this lower bound of J a machine's flags say too little to be turned round: the correction
 * divides by J.
 */
export const leastSkill = 0.1;

/**
 * J with a 95 % interval, the difference of two independent rates. Null where a class has no
 * labels.
 */
export function skillOf({
  caught,
  missed,
  rejected,
  passed,
}: Matrix): { value: number; low: number; high: number } | null {
  if (caught + missed === 0 || rejected + passed === 0) return null;
  return newcombe(
    { numerator: caught, denominator: caught + missed },
    { numerator: rejected, denominator: rejected + passed },
  );
}

/**
 * `smallSample`: Lang and Reiczigel's form. Null where nothing was decided, a class has no labels,
 * or J is too near to 0 (`leastSkill`).
 */
export function roganGladen(input: {
  readonly flagged: number;
  readonly decided: number;
  readonly matrix: Matrix;
  readonly smallSample?: boolean;
}): Estimated | null {
  const { flagged, decided, matrix, smallSample = false } = input;
  const skill = skillOf(matrix);
  if (decided === 0 || !skill || skill.low < leastSkill) return null;
  const [bad, good] = [matrix.caught + matrix.missed, matrix.rejected + matrix.passed];
  const [more, z2] = smallSample ? [1, z95 * z95] : [0, 0];
  const n = decided + z2;
  const flags = (flagged + z2 / 2) / n;
  const sensitivity = (matrix.caught + more) / (bad + 2 * more);
  const specificity = (matrix.passed + more) / (good + 2 * more);
  const j = sensitivity + specificity - 1;
  if (j <= 0) return null;
  const value = (flags + specificity - 1) / j;
  const ofBad = (sensitivity * (1 - sensitivity)) / (bad + 2 * more);
  const ofGood = (specificity * (1 - specificity)) / (good + 2 * more);
  const se =
    Math.sqrt((flags * (1 - flags)) / n + value ** 2 * ofBad + (1 - value) ** 2 * ofGood) / j;
  const shift = smallSample ? 2 * z2 * (value * ofBad - (1 - value) * ofGood) : 0;
  const whole = estimated(value + shift, se, 0, 1);
  return { ...whole, value: Math.min(1, Math.max(0, value)) };
}

/**
 * Unequal probabilities, item by item (Zrnic and Candès 2024, arXiv 2403.03208): θ = 1/N Σ (f + ξ/π
 * (y − f)); `y` null where the item was not labelled. `f` may be a probability. Null with fewer
 * than two items or none labelled. @throws RangeError on a probability that is none
 */
export function activeMean(
  items: readonly { readonly f: number; readonly y: number | null; readonly probability: number }[],
): Estimated | null {
  const n = items.length;
  if (n < 2 || items.every(({ y }) => y === null)) return null;
  const terms = items.map(({ f, y, probability }) => {
    if (!(probability > 0 && probability <= 1))
      throw new RangeError(`no probability of being drawn: ${probability}`);
    return y === null ? f : f + (y - f) / probability;
  });
  const mean = terms.reduce((sum, term) => sum + term, 0) / n;
  const variance = terms.reduce((sum, term) => sum + (term - mean) ** 2, 0) / (n - 1);
  return estimated(mean, Math.sqrt(variance / n), 0, 1);
}

/**
 * To a stated mix of traffic: Σ W θ, Var = Σ W² Var. `share` sums to 1. Null where a stratum of
 * some share is unmeasured: what is left would be another mix. @throws RangeError where the shares
 * do not sum to 1
 */
export function postStratify(
  strata: readonly {
    readonly share: number;
    readonly estimate: { readonly value: number; readonly se: number } | null;
  }[],
): Estimated | null {
  const whole = strata.reduce((sum, { share }) => sum + share, 0);
  if (Math.abs(whole - 1) > 1e-9 || strata.some(({ share }) => share < 0))
    throw new RangeError(`shares sum to ${whole}`);
  let [value, variance] = [0, 0];
  for (const { share, estimate } of strata) {
    if (share === 0) continue;
    if (!estimate) return null;
    value += share * estimate.value;
    variance += (share * estimate.se) ** 2;
  }
  return estimated(value, Math.sqrt(variance), 0, 1);
}

/** The share of good of a share of bad, and back. */
export function complement<T extends Estimated>(one: T): T {
  return { ...one, value: 1 - one.value, low: 1 - one.high, high: 1 - one.low };
}
