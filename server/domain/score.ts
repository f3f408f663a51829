import { z } from 'zod';

/**
 * The position of a score's evidence in the subject or its sources. `ref` is `output:12-18` (code
 * points, end exclusive) or `source_id#path`.
 */
export const Evidence = z.object({
  kind: z.enum(['quote', 'figure', 'source', 'line']),
  ref: z.string(),
  text: z.string().optional(),
});
export type Evidence = z.infer<typeof Evidence>;

const measured = {
  /** The measured property, as display text. */
  name: z.string(),
  /** Family, evaluator and version, such as `figures.trace@1`. */
  evaluator: z.string(),
  must_pass: z.boolean(),
  weight: z.number().min(0),
  reasoning: z.string().nullable(),
  evidence: z.array(Evidence),
  model: z.string().nullable(),
  prompt_version: z.string().nullable(),
  cost_usd: z.number().min(0),
  latency_ms: z.number().min(0),
  cached: z.boolean(),
};

/**
 * One measurement: appended, never edited. "No score" is a state, not a number: `scored` has a
 * finite value in 0..1, `unscored` has no result, `failed` means that the evaluator broke.
 */
export const Score = z.discriminatedUnion('state', [
  z.object({
    ...measured,
    state: z.literal('scored'),
    value: z.number().min(0).max(1),
    met: z.boolean(),
  }),
  z.object({ ...measured, state: z.literal('unscored'), value: z.null(), met: z.null() }),
  z.object({ ...measured, state: z.literal('failed'), value: z.null(), met: z.null() }),
]);
export type Score = z.infer<typeof Score>;
