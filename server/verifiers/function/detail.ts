import { z } from 'zod';

const text = z.string().nullable();
const rate = z.number().min(0).max(1).nullable();

/** The member `function` of a verdict (online.md 3). */
export const FunctionDetail = z.object({
  /** Of a result that is not a list; each score of a list has its own. */
  label: text,
  reason: text,
  /** Any JSON. */
  metadata: z.unknown(),
  /** The function's output, at most 8,192 bytes of it. */
  stdout: z.string(),
  /** Null if the function did not return. */
  duration_ms: z.number().nullable(),
  /** The list, if the function returned one. */
  scores: z.array(
    z.object({
      name: z.string(),
      score: rate,
      label: text,
      reason: text,
      metadata: z.unknown(),
      weight: z.number(),
      must_pass: z.boolean(),
    }),
  ),
  /**
   * The reason for a missing result; null if there is one. `line` is a line of the source, from 1.
   */
  error: z.object({ message: z.string(), line: z.number().int().nullable() }).nullable(),
});
export type FunctionDetail = z.infer<typeof FunctionDetail>;
