import { z } from 'zod';
import { Evidence } from '../../domain';
import { StoredJudgeUsage } from './judgement';
import { medianOf } from './median';
import { isByMajority, type CustomAnswer, type CustomOutput } from './custom-output';

const rate = z.number().min(0).max(1);
const Answer = z.union([z.boolean(), z.string(), z.number()]);

/** The finding on one criterion, or on the whole prompt if there are none. */
const CustomPart = z.object({
  /** From 0, in the order of the criteria. */
  index: z.number().int().min(0),
  /** Null if the choice has no value, or if there is no majority. */
  value: rate.nullable(),
  /** In the terms of the output; null without a majority. */
  answer: Answer.nullable(),
  reasoning: z.string(),
  evidence: z.array(Evidence),
  /** The share of the votes for the answer; 1 for numbers, which have no majority. */
  agreement: rate,
});
export type CustomPart = z.infer<typeof CustomPart>;

/** One answer of one judge. */
const CustomVote = z.object({
  model: z.string(),
  value: rate.nullable(),
  answer: Answer.nullable(),
  reasoning: z.string(),
  confidence: rate,
});

/** Findings of custom judges on one subject. They can be stored and read back (VS-43). */
export const CustomJudgement = z.object({
  /** One entry per vote, by the names that the providers report. */
  votes: z.array(CustomVote).min(1),
  parts: z.array(CustomPart).min(1),
  /** Weighted mean of the parts, to 4 decimals; null if one of them has no value. */
  value: rate.nullable(),
  /** After the quotes were looked up, and by the agreement of the votes. */
  confidence: rate,
  /** Some part has no majority. */
  tied: z.boolean(),
  /** Votes without a result, with the class of error. */
  absent: z.array(z.string()),
  /** Code points that no judge was shown. */
  leftOut: z.number().int().min(0),
  /** Quotes of judges that occur nowhere. */
  unresolvedQuotes: z.number().int().min(0),
  usage: StoredJudgeUsage,
});
export type CustomJudgement = z.infer<typeof CustomJudgement>;

/** One vote with its answers, before all are combined. */
export interface CustomBallot {
  readonly model: string;
  readonly parts: readonly Omit<CustomPart, 'agreement'>[];
  readonly confidence: number;
}

/** At most this many passages are kept for one part. */
const evidenceMax = 20;

/**
 * Combines votes: of words the answer of more than half of them, of numbers the median. Without a
 * majority a part has no answer and no value. The confidence is the median one, times the share of
 * the majority on the part with the least agreement.
 * @param weights by part
 * @param ballots at least one
 */
export function combineVotes(
  ballots: readonly CustomBallot[],
  output: CustomOutput,
  weights: readonly number[],
): Pick<CustomJudgement, 'votes' | 'parts' | 'value' | 'confidence' | 'tied'> {
  const parts = weights.map((_, index) =>
    combinePart(
      index,
      ballots.flatMap(({ model, parts: own }) =>
        own.filter((part) => part.index === index).map((part) => ({ ...part, model })),
      ),
      output,
    ),
  );
  const agreement = Math.min(...parts.map((part) => part.agreement));
  return {
    votes: ballots.map(({ model, parts: own, confidence }) => ({
      model,
      value: weightedMean(own, weights),
      answer: own.length === 1 ? (own[0]?.answer ?? null) : null,
      reasoning: own.map(({ reasoning }) => reasoning).join('\n'),
      confidence,
    })),
    parts,
    value: weightedMean(parts, weights),
    confidence: medianOf(ballots.map(({ confidence }) => confidence)) * agreement,
    tied: parts.some(({ answer }) => answer === null),
  };
}

/**
 * To 4 decimals. Null if a part has no value, since the mean of the others would belong to
 * another rubric.
 */
function weightedMean(
  parts: readonly { readonly index: number; readonly value: number | null }[],
  weights: readonly number[],
): number | null {
  let [sum, total] = [0, 0];
  for (const { index, value } of parts) {
    if (value === null) return null;
    const weight = weights[index] ?? 0;
    sum += value * weight;
    total += weight;
  }
  return total === 0 ? null : Math.round((sum / total) * 10_000) / 10_000;
}

interface View extends Omit<CustomPart, 'agreement'> {
  readonly model: string;
}

function combinePart(index: number, views: readonly View[], output: CustomOutput): CustomPart {
  const reasoning =
    views.length === 1
      ? (views[0]?.reasoning ?? '')
      : views.map((view) => `${view.model}: ${view.reasoning}`).join('\n');
  const evidence = distinct(views.flatMap((view) => view.evidence)).slice(0, evidenceMax);
  const base = { index, reasoning, evidence };
  if (!isByMajority(output)) {
    const values = views.flatMap(({ value }) => (value === null ? [] : [value]));
    const answers = views.flatMap(({ answer }) => (typeof answer === 'number' ? [answer] : []));
    return { ...base, value: medianOf(values), answer: medianOf(answers), agreement: 1 };
  }
  const { leader, share } = mostFrequent(views);
  const agreement = share;
  return share > 0.5
    ? { ...base, value: leader?.value ?? null, answer: leader?.answer ?? null, agreement }
    : { ...base, value: null, answer: null, agreement };
}

function mostFrequent(views: readonly View[]): {
  readonly leader: View | undefined;
  readonly share: number;
} {
  const counts = new Map<CustomAnswer | null, number>();
  for (const { answer } of views) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  return {
    leader: views.find(({ answer }) => answer === first?.[0]),
    share: (first?.[1] ?? 0) / views.length,
  };
}

const distinct = (evidence: readonly Evidence[]): Evidence[] => [
  ...new Map(evidence.map((each) => [each.ref, each])).values(),
];
