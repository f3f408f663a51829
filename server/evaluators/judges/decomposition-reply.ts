import { z } from 'zod';
import { isBlank } from '../../domain';
import { defineShape, type ReplyShape } from './read-reply';

/**
 * A judge's reply about a decomposition (SOAR-11). All four scores, an overall and a verdict are
 * required: a reply with a missing or out-of-range one is unreadable and never a low score.
 * Overall and verdict are kept for audit only.
 */
const score = z.number().min(0).max(1);
const texts = z.array(z.string());

const judged = {
  nonce: z.string(),
  reasoning: z.string(),
  completeness: score,
  consistency: score,
  groundedness: score,
  routability: score,
  overall: score,
  verdict: z.enum(['PASS', 'RETRY', 'FAIL']),
};

const SelfReply = z.strictObject({ ...judged, issues: texts, suggestions: texts });
const AdversarialReply = z.strictObject({
  ...judged,
  critical_issues: texts,
  minor_issues: texts,
  edge_cases: texts,
  suggestions: texts,
});

type Judged = Omit<z.infer<typeof SelfReply>, 'issues'>;

/** Either reply, with its lists of issues merged. */
export interface DecompositionReply extends Judged {
  readonly issues: readonly StatedIssue[];
}

/** An issue that a judge reports, in its own words. */
export interface StatedIssue {
  readonly message: string;
  readonly severity: 'low' | 'medium' | 'high';
}

interface IssueLists {
  readonly issues?: readonly string[];
  readonly critical_issues?: readonly string[];
  readonly minor_issues?: readonly string[];
  readonly edge_cases?: readonly string[];
}

const EACH_MAX = 20;
const CHARS_MAX = 500;

/** Critical ones first, then those without rank and edge cases, then minor ones (SOAR-11). */
export function mergeIssues({
  issues = [],
  critical_issues = [],
  edge_cases = [],
  minor_issues = [],
}: IssueLists): readonly StatedIssue[] {
  const as = (severity: StatedIssue['severity'], all: readonly string[]): readonly StatedIssue[] =>
    plainTexts(all).map((message) => ({ message, severity }));
  return [
    ...as('high', critical_issues),
    ...as('medium', issues),
    ...as('medium', edge_cases),
    ...as('low', minor_issues),
  ];
}

/** At most twenty texts, each of at most 500 characters, none empty. */
export function plainTexts(all: readonly string[]): readonly string[] {
  return all
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .slice(0, EACH_MAX)
    .map((text) =>
      (text.length > CHARS_MAX ? `${text.slice(0, CHARS_MAX)}…` : text).toWellFormed(),
    );
}

const fault = ({ reasoning }: DecompositionReply): string | null =>
  isBlank(reasoning) ? 'the scores have no reasoning' : null;

const selfShape = defineShape(
  'decomposition_self_reply',
  SelfReply,
  ({ issues, ...rest }): DecompositionReply => ({ ...rest, issues: mergeIssues({ issues }) }),
  fault,
);

const adversarialShape = defineShape(
  'decomposition_adversarial_reply',
  AdversarialReply,
  ({ critical_issues, minor_issues, edge_cases, ...rest }): DecompositionReply => ({
    ...rest,
    issues: mergeIssues({ critical_issues, minor_issues, edge_cases }),
  }),
  fault,
);

export const decompositionShape = (
  option: 'self' | 'adversarial',
): ReplyShape<DecompositionReply> => (option === 'self' ? selfShape : adversarialShape);
