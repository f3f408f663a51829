import { z } from 'zod';
import { intakeLimits } from '../../domain';

/** Twenty outputs have 190 pairs. */
const OUTPUTS_MAX = 20;

const Output = z.object({
  task_id: z.string().min(1, 'must not be empty').max(intakeLimits.idChars),
  output: z.string(),
});
export type TaskOutput = z.infer<typeof Output>;

/** The members of `POST /v1/verify/consistency` that only this kind has (VS-42). */
export const ConsistencySubject = z.object({
  outputs: z
    .array(Output)
    .max(OUTPUTS_MAX)
    .refine(
      (outputs) => new Set(outputs.map(({ task_id }) => task_id)).size === outputs.length,
      'must name each task_id once',
    ),
  /** Context only: the shared input of all tasks. */
  shared_context: z
    .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .nullish()
    .transform((value) =>
      value === null || value === undefined
        ? ''
        : typeof value === 'string'
          ? value
          : JSON.stringify(value),
    ),
});
export type ConsistencySubject = z.infer<typeof ConsistencySubject>;

export const ConsistencyConfig = z.object({
  /**
   * Judges each pair in both orders; a result that depends on the order is a tie (S-28). Twice the
   * calls.
   */
  both_orders: z.boolean().default(false),
  /** Code points of each output that the judge sees. */
  output_chars: z.number().int().min(500).max(100_000).default(4_000),
});
export type ConsistencyConfig = z.infer<typeof ConsistencyConfig>;

const rate = z.number().min(0).max(1);

/** The member `consistency` of a verdict. */
export const ConsistencyDetail = z.object({
  verdict: z.enum(['consistent', 'inconsistent']).nullable(),
  confidence: rate.nullable(),
  pairs: z.array(
    z.object({
      a: z.string(),
      b: z.string(),
      /** Null if the judge returned no score. */
      score: rate.nullable(),
      consistent: z.boolean().nullable(),
      issues: z.array(
        z.object({
          task_ids: z.array(z.string()),
          description: z.string(),
          severity: z.enum(['low', 'medium', 'high']),
        }),
      ),
    }),
  ),
});
export type ConsistencyDetail = z.infer<typeof ConsistencyDetail>;
