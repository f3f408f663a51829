import type { Matrix } from '../../domain';
import { noCounts, type Rates, ratesOf, weightsOfRows } from '../../measures';
import { mcNemarOfClusters, type PairedTest } from '../../stats';
import { hasNoResult } from './could-not-run';

/** One subject with the answers of both versions. */
export interface ComparedSubject {
  /**
   * The session, or else the subject: subjects of one session carry less information than subjects
   * of different sessions.
   */
  readonly cluster: string;
  readonly good: boolean;
  /** The outcome of the candidate version: passed, failed, or another outcome that is neither. */
  readonly outcome: string;
  /** Null if the candidate version is the production one. */
  readonly production: { readonly outcome: string } | null;
}

/** The agreement of one version with the truth. */
export interface TrialSide {
  readonly matrix: Matrix;
  /** Neither passed nor failed: excluded from every rate. */
  readonly undecided: number;
  /** Of these, the ones without a result, for example because a judge could not be called. */
  readonly inconclusive: number;
  readonly rates: Pick<
    Rates,
    'agreement' | 'catchRate' | 'falsePositiveRate' | 'falseRejectionRate' | 'kappa'
  >;
}

export interface TrialSum {
  readonly tried: TrialSide;
  readonly production: TrialSide | null;
  /**
   * Test on the subjects that both decided, by those that only one of the two got right. Null
   * without a version to compare with.
   */
  readonly paired: (PairedTest & { readonly both: number }) | null;
}

/** Pure. Computes the same rates as every other measure. */
export function sumTrial(rows: readonly ComparedSubject[]): TrialSum {
  const against = rows.flatMap(({ cluster, good, outcome, production }) =>
    production === null ? [] : [{ cluster, good, outcome, other: production.outcome }],
  );
  const both = against.filter(({ outcome, other }) => isDecided(outcome) && isDecided(other));
  const paired = mcNemarOfClusters(
    both.map(({ cluster, good, outcome, other }) => ({
      cluster,
      side: sideOfPair(isRight(good, outcome), isRight(good, other)),
    })),
  );
  const compares = against.length > 0;
  return {
    tried: sideOf(rows),
    production: compares
      ? sideOf(against.map(({ cluster, good, other }) => ({ cluster, good, outcome: other })))
      : null,
    paired: compares ? { ...paired, both: both.length } : null,
  };
}

/**
 * Whether the two versions differ: one passes work that the other fails or leaves to people. A
 * missing result is not a difference.
 */
export function isFlip({
  outcome,
  production,
}: Omit<ComparedSubject, 'cluster' | 'good'>): boolean {
  return (
    production !== null &&
    !hasNoResult(outcome) &&
    !hasNoResult(production.outcome) &&
    sideName(outcome) !== sideName(production.outcome)
  );
}

const isDecided = (outcome: string): boolean => outcome === 'passed' || outcome === 'failed';
const sideName = (outcome: string): string => (isDecided(outcome) ? outcome : 'undecided');
const isRight = (good: boolean, outcome: string): boolean => (outcome === 'passed') === good;

const sideOfPair = (isFirst: boolean, isSecond: boolean): 1 | 0 | -1 =>
  isFirst === isSecond ? 0 : isFirst ? 1 : -1;

function sideOf(
  rows: readonly { readonly cluster: string; readonly good: boolean; readonly outcome: string }[],
): TrialSide {
  const count = (good: boolean, outcome: string): number =>
    rows.filter((row) => row.good === good && row.outcome === outcome).length;
  const matrix: Matrix = {
    caught: count(false, 'failed'),
    missed: count(false, 'passed'),
    rejected: count(true, 'failed'),
    passed: count(true, 'passed'),
  };
  const decided = rows.filter(({ outcome }) => isDecided(outcome));
  const weights = weightsOfRows(
    decided.map(({ cluster, good, outcome }) => ({ cluster, good, failed: outcome === 'failed' })),
  );
  const { agreement, catchRate, falsePositiveRate, falseRejectionRate, kappa } = ratesOf({
    ...noCounts,
    ...matrix,
    weights,
  });
  const undecided = rows.filter(({ outcome }) => !isDecided(outcome)).length;
  const inconclusive = rows.filter(({ outcome }) => hasNoResult(outcome)).length;
  return {
    matrix,
    undecided,
    inconclusive,
    rates: { agreement, catchRate, falsePositiveRate, falseRejectionRate, kappa },
  };
}
