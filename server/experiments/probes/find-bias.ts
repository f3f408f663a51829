import { newcombe, sumsOf, itemWeight } from '../../domain';
import { sameFamily } from '../../llm';
import { type Estimate, measured } from '../../measures';
import { linearBiasHc3, widened } from '../../stats';
import type { FindingsOf } from './probe-findings';

/**
 * Measures from labelled verdicts whether a judge depends on irrelevant properties: the length of
 * the work, and whether the judge's own model family produced it (calibration.md 5.8). The signed
 * error is 1 for good work that was flagged, −1 for bad work that passed, and 0 otherwise. Pure.
 */
export interface BiasSample {
  readonly flagged: boolean;
  readonly bad: boolean;
  /** The session, or else the subject; if omitted, the sample is a separate cluster. */
  readonly cluster?: string;
}

/**
 * The weight of one verdict in the interval of the error rate, if sessions have several verdicts.
 */
function weightOfErrors(rows: readonly (BiasSample & { readonly count: number })[]): number {
  const clusters = new Map<string, { n: number; x: number }>();
  const single: { n: number; x: number }[] = [];
  for (const { flagged, bad, cluster, count } of rows) {
    const isWrong = flagged === bad ? 0 : 1;
    if (cluster === undefined) {
      for (let i = 0; i < count; i++) single.push({ n: 1, x: isWrong });
      continue;
    }
    const sum = clusters.get(cluster) ?? { n: 0, x: 0 };
    clusters.set(cluster, { n: sum.n + count, x: sum.x + count * isWrong });
  }
  return itemWeight(sumsOf([...single, ...clusters.values()]));
}

/**
 * Regresses on the natural logarithm of the length in characters; excludes work without a length.
 */
export function slopeOfLength(
  rows: readonly (BiasSample & { readonly chars: number })[],
): Estimate {
  const long = rows.filter(({ chars }) => chars > 0);
  return slopeOf(long.map(({ chars, ...row }) => ({ ...row, terms: [Math.log(chars)] })));
}

function slopeOf(rows: readonly (BiasSample & { readonly terms: readonly number[] })[]): Estimate {
  const [slope] = linearBiasHc3(rows) ?? [];
  if (slope === undefined) return { value: null, low: null, high: null, n: rows.length };
  const weight = weightOfErrors(rows.map((row) => ({ ...row, count: 1 })));
  const { value, low, high } = widened(slope, weight, [-Infinity, Infinity]);
  return { value, low, high, n: rows.length };
}

/** The number of verdicts of one judge on work of one model that have this result. */
export interface FamilyCount extends BiasSample {
  /** As named in verdicts: the members of a jury are joined by ' + '. */
  readonly judge: string;
  /** The model that did the work; '' if unknown. */
  readonly model: string;
  readonly count: number;
}

/** @returns whether a member of the jury is of the model's family; null if unknown */
export function isOwnFamily(judge: string, model: string): boolean | null {
  if (model === '') return null;
  const families = judge.split(' + ').map((each) => sameFamily(each.replace('/', ':'), model));
  if (families.includes(true)) return true;
  return families.includes(null) ? null : false;
}

export function computeSelfPreference(
  counts: readonly FamilyCount[],
): FindingsOf<'self_preference'> {
  const withFamily = counts.map((each) => ({ ...each, own: isOwnFamily(each.judge, each.model) }));
  const [own, others] = [
    withFamily.filter((each) => each.own === true),
    withFamily.filter((each) => each.own === false),
  ];
  const errors = (rows: readonly FamilyCount[]) => ({
    numerator: sum(rows.filter(({ flagged, bad }) => flagged !== bad)),
    denominator: sum(rows),
    weight: weightOfErrors(rows),
  });
  const [one, other] = [errors(own), errors(others)];
  const n = Math.min(one.denominator, other.denominator);
  const difference = n === 0 ? null : newcombe(one, other);
  const rows = [...own, ...others].flatMap(({ own: isOwn, count, ...row }) =>
    Array.from({ length: count }, () => ({ ...row, terms: [isOwn === true ? 1 : 0] })),
  );
  return {
    probe: 'self_preference',
    own: measured(one, undefined, one.weight),
    others: measured(other, undefined, other.weight),
    difference: {
      value: difference?.value ?? null,
      low: difference?.low ?? null,
      high: difference?.high ?? null,
      n,
    },
    // With only one of the two groups there is nothing to compare.
    slope: n === 0 ? { value: null, low: null, high: null, n } : { ...slopeOf(rows), n },
    unknown: sum(withFamily.filter((each) => each.own === null)),
  };
}

const sum = (rows: readonly FamilyCount[]): number =>
  rows.reduce((sum, { count }) => sum + count, 0);
