import { type Matrix, newcombe, wilson, z95 } from '../domain';
import { type Estimated, estimated } from './intervals';

/**
 * The share of bad items in production, corrected by labels for the machine's errors
 * (calibration.md 5.4). All values here are shares of bad; `complement` converts one to the share
 * of good. N counts items that were decided and are not labelled, p̂ is the flagged share of them.
 *
 * Rogan and Gladen 1978: θ = (p̂ + q₀ − 1)/J, J = q₁ + q₀ − 1, Var = (p̂(1−p̂)/N + θ²·q₁(1−q₁)/m₁ +
 * (1−θ)²·q₀(1−q₀)/m₀)/J². Labels may be enriched, but q₁ and q₀ must hold in production. Small
 * samples: Lang and Reiczigel 2014. PPI++ (Angelopoulos et al. 2023, arXiv 2311.01453): θ = ȳ +
 * λ(f̄_N − f̄_n), Var = λ²·s²_f/N + s²_{y−λf}/n, λ = Cov(y,f)/((1+n/N)·Var(f)) in 0..1, Var(f) of
 * labelled and unlabelled together. Labels are a random sample, each drawn with its own probability
 * π: every mean is Hájek's, Σ(x/π)/Σ(1/π), with the variance Σ((x−x̄)²/π²)/(Σ1/π)². With equal π
 * that is the plain form.
 */
export interface WeightedCell {
  /** Number of labelled items. */
  readonly n: number;
  /** Sums of 1/π and of 1/π². */
  readonly weight: number;
  readonly square: number;
}

/** The data of the random sample that an estimate of a corrected share needs. */
export type WeightedCells = { readonly [cell in keyof Matrix]: WeightedCell };

interface Sample {
  readonly n: number;
  readonly weight: number;
  /** The equivalent number of items with equal weights (Kish 1965). */
  readonly effective: number;
  readonly bad: number;
  readonly flagged: number;
  readonly both: number;
  /** Variance of the mean of y − λf. */
  readonly varianceOf: (lambda: number) => number;
}

/** Null without labels. */
function sampleOf(cells: WeightedCells): Sample | null {
  const all = [cells.caught, cells.missed, cells.rejected, cells.passed];
  const n = all.reduce((sum, cell) => sum + cell.n, 0);
  const weight = all.reduce((sum, cell) => sum + cell.weight, 0);
  if (n === 0 || weight <= 0) return null;
  const square = all.reduce((sum, cell) => sum + cell.square, 0);
  const bad = (cells.caught.weight + cells.missed.weight) / weight;
  const flagged = (cells.caught.weight + cells.rejected.weight) / weight;
  const varianceOf = (lambda: number): number => {
    const mean = bad - lambda * flagged;
    const values: readonly (readonly [WeightedCell, number])[] = [
      [cells.caught, 1 - lambda],
      [cells.missed, 1],
      [cells.rejected, -lambda],
      [cells.passed, 0],
    ];
    const sum = values.reduce(
      (total, [cell, value]) => total + cell.square * (value - mean) ** 2,
      0,
    );
    // Divides by n − 1, as in a sample variance.
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
 * Uses the random sample alone, with Wilson's interval on the effective number of labels. Null
 * without labels.
 */
export function labelsOnly(cells: WeightedCells): Estimated | null {
  const sample = sampleOf(cells);
  if (!sample) return null;
  return {
    value: sample.bad,
    se: Math.sqrt(sample.varianceOf(0)),
    ...wilson(sample.bad * sample.effective, sample.effective),
  };
}

/**
 * The flagged share of decided items, as if the machine were always right. Null if nothing was
 * decided.
 */
export function naiveShare(flagged: number, decided: number): Estimated | null {
  if (decided === 0) return null;
  const value = flagged / decided;
  return { value, se: Math.sqrt((value * (1 - value)) / decided), ...wilson(flagged, decided) };
}

export interface Ppi extends Estimated {
  /** The weight of the machine's verdicts: 0 means labels alone. */
  readonly lambda: number;
}

/**
 * The PPI++ estimate. `flagged` of `decided`: unlabelled items decided by the machine. Null with
 * fewer than two labels. If nothing is unlabelled, λ is 0. `lambda` overrides the best value.
 */
export function ppi(input: {
  readonly cells: WeightedCells;
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
  // Averages over everything decided: with unequal probabilities neither part alone is
  // representative. With equal ones this equals f̄_N − f̄_n.
  const all = decided + sample.n;
  const flaggedShare = (input.flagged + labelledFlags) / all;
  const difference = (all / decided) * (flaggedShare - sample.flagged);
  const unlabelled = input.flagged / decided;
  const together = flaggedShare * (1 - flaggedShare);
  const shared = sample.both - sample.bad * sample.flagged;
  const best = together === 0 ? 0 : shared / ((1 + sample.effective / decided) * together);
  const lambda = Math.min(1, Math.max(0, input.lambda ?? best));
  const variance =
    (lambda * lambda * unlabelled * (1 - unlabelled)) / decided + sample.varianceOf(lambda);
  return { ...estimated(sample.bad + lambda * difference, Math.sqrt(variance), 0, 1), lambda };
}

/**
 * Minimum lower bound of J for a correction, which divides by J: below it the flags are too
 * uninformative.
 */
export const minSkill = 0.1;

/**
 * J with a 95% interval, as the difference of two independent rates. Null if a class has no
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
 * The Rogan-Gladen estimate; `smallSample` selects the form of Lang and Reiczigel. Null if nothing
 * was decided, a class has no labels, or J is too close to 0 (`minSkill`).
 */
export function roganGladen(input: {
  readonly flagged: number;
  readonly decided: number;
  readonly matrix: Matrix;
  readonly smallSample?: boolean;
}): Estimated | null {
  const { flagged, decided, matrix, smallSample = false } = input;
  const skill = skillOf(matrix);
  if (decided === 0 || !skill || skill.low < minSkill) return null;
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
  const estimate = estimated(value + shift, se, 0, 1);
  return { ...estimate, value: Math.min(1, Math.max(0, value)) };
}

/** Converts a share of bad to the share of good, and back. */
export function complement<T extends Estimated>(one: T): T {
  return { ...one, value: 1 - one.value, low: 1 - one.high, high: 1 - one.low };
}
