import type { Outcome } from '../../domain';
import { kinds } from '../../verifiers';
import { contestedPriority } from '../resolve-review-item';
import { probabilityAt } from './audit-draw';
import type { ReviewQueue, ReviewSettingsBody } from './review-input';

/** The facts about a settled verdict that decide whether it is enqueued. */
export interface ReviewFacts {
  readonly kind: string;
  readonly outcome: Outcome;
  readonly score: number | null;
  readonly threshold: number | null;
  readonly confidence: number | null;
  readonly needsHumanReview: boolean;
  /** A model was called for it. */
  readonly judged: boolean;
  /** The messages of its most severe issues. */
  readonly grave: readonly string[];
  /** The members of the jury disagreed. */
  readonly jurySplit: boolean;
  /** Verifiers with a contradicting result for the same revision of the subject. */
  readonly otherwise: readonly string[];
  /**
   * The statement of a report that contradicts the verdict: whether the subject was good. Null if
   * there is none.
   */
  readonly reported: boolean | null;
  /** Uniform in [0, 1) (`lotOf`). */
  readonly lot: number;
}

export interface ReviewPlace {
  readonly queues: readonly ReviewQueue[];
  readonly reason: string | null;
  readonly priority: number;
  readonly probability: number | null;
}

/**
 * Higher priorities come first. Contested items come before everything. Items for which the
 * verifier requested a person (`askedForPriority`) come before the random sample; the sample comes
 * before the rest, since all of it must be ruled on to correct rates.
 */
const priorities: Record<ReviewQueue, number> = {
  contested: contestedPriority,
  must_see: 2.5,
  disagreement: 2,
  uncertain: 1,
  audit: 3,
};
const askedForPriority = 4;

/** Below this confidence the verdict alone is not reliable (VS-25). */
const lowConfidence = 0.5;

const decided: ReadonlySet<Outcome> = new Set<Outcome>([
  'passed',
  'failed',
  'needs_review',
  'steered',
]);

/** Code has points, all other kinds have shares. */
const scaleOf = (kind: string): number => kinds.get(kind)?.scoreMax ?? 1;

/**
 * Where to enqueue a verdict for review and why, or null if it needs no review. An undecided
 * verdict is enqueued only if a judge was called: a person can decide a case that the judge could
 * not, but not one that was never measured.
 */
export function reviewReason(
  facts: ReviewFacts,
  settings: Pick<ReviewSettingsBody, 'auditRate' | 'uncertainBand'>,
): ReviewPlace | null {
  const isDecided = decided.has(facts.outcome);
  if (!isDecided && !(facts.outcome === 'inconclusive' && facts.judged)) return null;
  const found: { queue: ReviewQueue; reason: string | null; priority: number }[] = [];
  const add = (queue: ReviewQueue, reason: string | null, priority = priorities[queue]): void =>
    void found.push({ queue, reason, priority });
  if (facts.needsHumanReview) add('must_see', 'The verifier requests a person.', askedForPriority);
  else if (isDecided && facts.grave.length > 0)
    add('must_see', `It found: ${facts.grave.slice(0, 3).join('; ')}.`);
  else if (!isDecided) add('must_see', 'The judge could not decide.');
  const unsure = whyUncertain(facts, settings.uncertainBand);
  if (unsure !== null) add('uncertain', unsure.reason, priorities.uncertain + unsure.nearness);
  const against = whyDisputed(facts);
  if (against !== null) add('disagreement', against);
  const probability = isDecided ? probabilityAt(settings.auditRate) : null;
  const isDrawn = probability !== null && facts.lot < probability;
  if (isDrawn) add('audit', null);
  if (found.length === 0) return null;
  const reasons = found.flatMap(({ reason }) => reason ?? []);
  return {
    queues: found.map(({ queue }) => queue),
    reason: reasons.length === 0 ? null : reasons.join('\n'),
    priority: Math.max(...found.map(({ priority }) => priority)),
    probability: isDrawn ? probability : null,
  };
}

/** `nearness` is 0 at the edge of the band, and grows to less than 1 at the threshold. */
function whyUncertain(
  facts: ReviewFacts,
  band: number,
): { readonly reason: string; readonly nearness: number } | null {
  const { kind, score, threshold, confidence } = facts;
  const scale = scaleOf(kind);
  const width = band * scale;
  if (score !== null && threshold !== null && width > 0) {
    const distance = Math.abs(score - threshold);
    if (distance <= width + 1e-9 * scale) {
      return {
        reason: `Its score ${brief(score)} is near its threshold ${brief(threshold)}.`,
        nearness: 0.9 * (1 - Math.min(1, distance / width)),
      };
    }
  }
  if (confidence === null || confidence >= lowConfidence) return null;
  return { reason: `The judge's confidence is ${brief(confidence)}.`, nearness: 0.5 };
}

function whyDisputed({ otherwise, jurySplit, reported }: ReviewFacts): string | null {
  const reasons = [
    ...(otherwise.length > 0 ? [`Contradicted by ${otherwise.slice(0, 3).join(', ')}.`] : []),
    ...(jurySplit ? ['The judges of its jury do not agree.'] : []),
    ...(reported === null ? [] : [`Reported as ${reported ? 'good' : 'not good'}.`]),
  ];
  return reasons.length === 0 ? null : reasons.join(' ');
}

const brief = (value: number): string => String(Math.round(value * 1000) / 1000);
