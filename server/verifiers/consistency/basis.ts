import { z } from 'zod';
import { meetsThreshold } from '../../domain';
import type { EffectiveThresholds } from '../../thresholds';
import { thresholdValue } from '../asking';
import { type Rederived, rederived } from '../rederive';
import type { PairDetail } from './plan';

/**
 * The input of the decision on outputs, other than its thresholds. For a pair judged in both orders
 * the better score decides whether it is inconsistent, and a threshold between the two scores makes
 * it a tie (S-28). A severe issue ranks a score below any threshold.
 */
export const ConsistencyBasis = z.object({
  complete: z.boolean(),
  /** Of the worst pair, by its better order; null if no pair was judged. */
  weakest: z.number().nullable(),
  /** Minimum confidence of all pairs, without ties. */
  confidence: z.number().nullable(),
  /** Pairs whose two orders differ: lower score, higher score, confidence. */
  split: z.array(z.tuple([z.number(), z.number(), z.number()])),
  wanted: z.boolean(),
  /**
   * The caller may retry; otherwise an inconsistent result waits for a person. Missing in bases of
   * earlier releases.
   */
  retries_left: z.boolean().default(true),
});
export type ConsistencyBasis = z.infer<typeof ConsistencyBasis>;

/** Below every threshold, including 0. */
const never = -1;
const lowest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => Math.min(a, b));

export function basisOf(
  pairs: readonly PairDetail[],
  wanted: boolean,
  retriesLeft: boolean,
): ConsistencyBasis {
  const judged = pairs.flatMap(({ finding, judged: judgement }) => {
    const found = judgement.flatMap((each) => (each.state === 'judged' ? [each.reply] : []));
    const pairScores = found.map(({ value, issues }) =>
      issues.some(({ severity }) => severity === 'high') ? never : value,
    );
    if (finding === null || pairScores.length === 0) return [];
    return [
      {
        low: Math.min(...pairScores),
        high: Math.max(...pairScores),
        confidence: Math.min(...found.map((each) => each.confidence)),
      },
    ];
  });
  return {
    complete: judged.length === pairs.length,
    weakest: lowest(judged.map(({ high }) => high)),
    confidence: lowest(judged.map(({ confidence }) => confidence)),
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
 * Consistent if every pair is; inconsistent if at least one is; inconclusive if a pair is a tie or
 * could not be judged and none is inconsistent.
 */
export function ruleConsistency(
  { complete, weakest, confidence, split, wanted, retries_left: retriesLeft }: ConsistencyBasis,
  thresholds: EffectiveThresholds,
): ConsistencyRuling {
  const pass = thresholdValue(thresholds, 'pass_threshold', 0.7);
  const contradicted = weakest !== null && !meetsThreshold(weakest, pass);
  const ties = split.filter(
    ([low, high]) => meetsThreshold(high, pass) && !meetsThreshold(low, pass),
  );
  const sure = lowest([
    ...(confidence === null ? [] : [confidence]),
    ...ties.map(([, , each]) => each / 2),
  ]);
  const isUnsure =
    sure !== null && !meetsThreshold(sure, thresholdValue(thresholds, 'confidence_threshold', 0.5));
  const verdict = contradicted
    ? 'inconsistent'
    : complete && ties.length === 0
      ? 'consistent'
      : null;
  // No person is notified where judging was not requested; if it was too expensive, or failed, one
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
