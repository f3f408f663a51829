import { z } from 'zod';
import { meetsThreshold } from '../../domain';
import type { EffectiveThresholds } from '../../thresholds';
import { inForce } from '../asking';
import { type Rederived, rederived } from '../rederive';
import type { PairDetail } from './plan';

/**
 * What the decision on outputs rests on besides its thresholds. Of a pair asked about in both
 * orders the better score decides whether it is inconsistent, and a threshold between the two makes
 * it a tie (S-28). A severe issue makes a score worth less than any threshold.
 */
export const ConsistencyBasis = z.object({
  complete: z.boolean(),
  /** Of the pair that is worst, by its better order; null where no pair was judged. */
  weakest: z.number().nullable(),
  /** Least confidence of all pairs, ties aside. */
  confidence: z.number().nullable(),
  /** Pairs whose two orders differ: lower score, higher score, confidence. */
  split: z.array(z.tuple([z.number(), z.number(), z.number()])),
  wanted: z.boolean(),
  /**
   * The caller may retry: else what is inconsistent waits for a person. Bases of earlier releases
   * do not have it.
   */
  retries_left: z.boolean().default(true),
});
export type ConsistencyBasis = z.infer<typeof ConsistencyBasis>;

/** Under every threshold, 0 among them. */
const never = -1;
const least = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => Math.min(a, b));

export function basisOf(
  pairs: readonly PairDetail[],
  wanted: boolean,
  retriesLeft: boolean,
): ConsistencyBasis {
  const judged = pairs.flatMap(({ finding, judged: asked }) => {
    const found = asked.flatMap((each) => (each.state === 'judged' ? [each.reply] : []));
    const worths = found.map(({ value, issues }) =>
      issues.some(({ severity }) => severity === 'high') ? never : value,
    );
    if (finding === null || worths.length === 0) return [];
    return [
      {
        low: Math.min(...worths),
        high: Math.max(...worths),
        confidence: Math.min(...found.map((each) => each.confidence)),
      },
    ];
  });
  return {
    complete: judged.length === pairs.length,
    weakest: least(judged.map(({ high }) => high)),
    confidence: least(judged.map(({ confidence }) => confidence)),
    split: judged
      .filter(({ low, high }) => low < high)
      .map(({ low, high, confidence }) => [low, high, confidence]),
    wanted,
    retries_left: retriesLeft,
  };
}

export interface ConsistencyRuling {
  readonly verdict: 'consistent' | 'inconsistent' | null;
  /** A tie halves the confidence in its pair. */
  readonly confidence: number | null;
  readonly needsHumanReview: boolean;
}

/**
 * Consistent when every pair is; inconsistent as soon as one is not; neither when a pair is a tie
 * or could not be judged and no other is inconsistent.
 */
export function ruleConsistency(
  { complete, weakest, confidence, split, wanted, retries_left: retriesLeft }: ConsistencyBasis,
  thresholds: EffectiveThresholds,
): ConsistencyRuling {
  const pass = inForce(thresholds, 'pass_threshold', 0.7);
  const contradicted = weakest !== null && !meetsThreshold(weakest, pass);
  const ties = split.filter(
    ([low, high]) => meetsThreshold(high, pass) && !meetsThreshold(low, pass),
  );
  const sure = least([
    ...(confidence === null ? [] : [confidence]),
    ...ties.map(([, , each]) => each / 2),
  ]);
  const isUnsure =
    sure !== null && !meetsThreshold(sure, inForce(thresholds, 'confidence_threshold', 0.5));
  const verdict = contradicted
    ? 'inconsistent'
    : complete && ties.length === 0
      ? 'consistent'
      : null;
  // No person is awaited where judging was not wanted; where it was too expensive, or broke, one
  // is.
  const isOpen = (verdict === null && wanted) || (verdict === 'inconsistent' && !retriesLeft);
  return { verdict, confidence: sure, needsHumanReview: isUnsure || ties.length > 0 || isOpen };
}

export function rederiveConsistency(
  basis: ConsistencyBasis,
  thresholds: EffectiveThresholds,
): Rederived {
  const { verdict, needsHumanReview } = ruleConsistency(basis, thresholds);
  return rederived(verdict, needsHumanReview, !basis.wanted);
}
