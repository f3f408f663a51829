import { median, type Ratio, ratioOf, rounded } from './rounds';

/** One figure of a bench, as `--json` prints it (performance.md 1). */
export interface Row {
  readonly figure: string;
  readonly unit: string;
  readonly assay: number | null;
  readonly floor: number | null;
  readonly peer: number | null;
  readonly ratio: number | null;
  /** 95 % interval of the ratio. */
  readonly low: number | null;
  readonly high: number | null;
  /** `>= 0.45`, `<= 2`, or `-` for a figure without a goal. */
  readonly goal: string;
  /** Null if there is no verdict; `note` states the reason. */
  readonly met: boolean | null;
  readonly note: string;
}

export type Goal = { readonly min: number } | { readonly max: number };

export interface Compared {
  readonly figure: string;
  readonly unit: string;
  /** One value per round. */
  readonly assayValues: readonly number[];
  readonly floor?: readonly number[];
  /** Set instead of a floor. */
  readonly peer?: readonly number[];
  readonly goal?: Goal;
  readonly notes?: readonly string[];
  /** Why there can be no verdict, regardless of the ratio. */
  readonly noVerdict?: string | null;
}

/**
 * Above this value the baseline's rounds differ too much from each other (performance.md 4.0, item
 * 4).
 */
const noisyFrom = 0.25;

/** Compares Assay with floor or peer, round by round. */
export function compare(input: Compared): Row {
  const baseline = input.floor ?? input.peer ?? [];
  const ratio = ratioOf(input.assayValues, baseline);
  const why =
    input.noVerdict ??
    (input.goal !== undefined && ratio.noise > noisyFrom
      ? `noisy, no verdict (${percent(ratio.noise)})`
      : null);
  return {
    figure: input.figure,
    unit: input.unit,
    assay: rounded(median(input.assayValues)),
    floor: input.floor === undefined ? null : rounded(median(input.floor)),
    peer: input.peer === undefined ? null : rounded(median(input.peer)),
    ratio: rounded(ratio.median),
    low: rounded(ratio.low),
    high: rounded(ratio.high),
    goal: goalText(input.goal),
    met: input.goal === undefined || why !== null ? null : clears(ratio, input.goal),
    note: [...(why === null ? [] : [why]), ...(input.notes ?? [])].join('; '),
  };
}

/**
 * A figure with an absolute bound instead of a ratio: the worst value of all rounds must be within
 * it.
 */
export function bound(input: Omit<Compared, 'floor' | 'peer'>): Row {
  const low = Math.min(...input.assayValues);
  const high = Math.max(...input.assayValues);
  const why = input.noVerdict ?? null;
  return {
    figure: input.figure,
    unit: input.unit,
    assay: rounded(median(input.assayValues)),
    floor: null,
    peer: null,
    ratio: null,
    low: rounded(low),
    high: rounded(high),
    goal: goalText(input.goal),
    met: input.goal === undefined || why !== null ? null : clears({ low, high }, input.goal),
    note: [...(why === null ? [] : [why]), ...(input.notes ?? [])].join('; '),
  };
}

/** A row without figures for a contender that could not be measured, with the reason. */
export function absent(figure: string, unit: string, goal: Goal, why: string): Row {
  return {
    figure,
    unit,
    assay: null,
    floor: null,
    peer: null,
    ratio: null,
    low: null,
    high: null,
    goal: goalText(goal),
    met: null,
    note: why,
  };
}

/** The worse end of the interval decides. */
function clears(ratio: Pick<Ratio, 'low' | 'high'>, goal: Goal): boolean {
  return 'min' in goal ? ratio.low >= goal.min : ratio.high <= goal.max;
}

function goalText(goal: Goal | undefined): string {
  if (goal === undefined) return '-';
  return 'min' in goal ? `>= ${goal.min}` : `<= ${goal.max}`;
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

/**
 * Why a rate is meaningless if the load generator itself could hardly send twice as much
 * (performance.md 4.0, item 4); null otherwise.
 */
export function mockBound(values: readonly number[], ceiling: readonly number[]): string | null {
  const times = median(ceiling) / median(values);
  return times < 2
    ? `mock-bound: the load generator reaches ${times.toFixed(1)} times the product`
    : null;
}
