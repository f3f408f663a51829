import { z } from 'zod';

/**
 * Derived from a verdict, only for pages that show several kinds; verdicts themselves keep their
 * own words.
 */
export const Outcome = z.enum([
  'passed',
  'failed',
  'needs_review',
  'steered',
  'inconclusive',
  'skipped',
]);
export type Outcome = z.infer<typeof Outcome>;

export const Action = z.enum([
  'accept',
  'retry',
  'escalate',
  'reject',
  'abort',
  'accept_with_warning',
  'none',
]);
export type Action = z.infer<typeof Action>;

export const Issue = z.object({
  code: z.string(),
  message: z.string(),
  severity: z.enum(['low', 'medium', 'high']),
  path: z.string().nullable(),
});
export type Issue = z.infer<typeof Issue>;

/** The decision of a rule on one subject (product.md 3). */
export const DecisionState = z.enum([
  'run',
  'filtered',
  'sampled_out',
  'duplicate',
  'bypassed',
  'over_budget',
  'blocked',
  'no_subject',
  'failed',
  'expired',
]);
export type DecisionState = z.infer<typeof DecisionState>;

const outcomeByVerdict: Record<string, Outcome> = {
  pass: 'passed',
  PASS: 'passed',
  consistent: 'passed',
  sourced: 'passed',
  partial: 'needs_review',
  fail: 'failed',
  FAIL: 'failed',
  RETRY: 'failed',
  inconsistent: 'failed',
  unsourced: 'failed',
  steer: 'steered',
  verifier_failed: 'inconclusive',
};

/**
 * The outcome of a verdict in the kind's own words (api.md, Verify). A missing or unknown verdict
 * is `inconclusive`: a broken verifier neither passes nor fails work.
 */
export function deriveOutcome(verdict: string | null): Outcome {
  if (verdict === null || !Object.hasOwn(outcomeByVerdict, verdict)) return 'inconclusive';
  return outcomeByVerdict[verdict] ?? 'inconclusive';
}
