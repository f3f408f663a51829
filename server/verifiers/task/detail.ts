import { z } from 'zod';

const rate = z.number().min(0).max(1);

/** The member `task` of a verdict (VS-3, VS-46, VS-51). */
export const TaskDetail = z.object({
  verdict: z.enum(['pass', 'partial', 'fail']).nullable(),
  confidence: rate.nullable(),
  /**
   * Weighted mean of the judged criteria, to 4 decimals; if there are none, of the checks. Null if
   * nothing was measured.
   */
  aggregate_score: rate.nullable(),
  criteria_scores: z.array(
    z.object({
      criterion: z.string(),
      score: rate.nullable(),
      met: z.boolean().nullable(),
      reasoning: z.string().nullable(),
      weight: z.number(),
      must_pass: z.boolean(),
    }),
  ),
  /**
   * By dimension; `format` is the share of checks that passed, omitted if there are none (VS-6).
   */
  quality_scores: z.record(z.string(), rate),
  deterministic_failures: z.array(
    z.object({
      check: z.string(),
      criterion: z.string(),
      reason: z.string(),
      must_pass: z.boolean(),
    }),
  ),
  suggestions: z.array(z.string()),
  scoring_mode: z.enum(['rubric', 'binary', 'criteria_match']),
  verifier_model: z.string().nullable(),
  /** For people. `skipped`: a criterion needs a judge and judging was not requested. */
  verification_status: z.enum(['verified', 'retrying', 'failed', 'awaiting_human', 'skipped']),
  /** The same number as `aggregate_score`, under its other name (VS-46). */
  verification_score: rate.nullable(),
  /** Why no judge was called, or null. */
  llm_skipped: z.string().nullable(),
  /**
   * Whether it is verified immediately, since other work waits for it, or in the background
   * (VS-31).
   */
  timing: z.enum(['inline', 'batch']),
  /** When to retry the work; null if it should not be retried. */
  retry_after_ms: z.number().int().nullable(),
  tokens_used: z.number().int(),
  cost: z.number(),
});
export type TaskDetail = z.infer<typeof TaskDetail>;
