import { z } from 'zod';

const rate = z.number().min(0).max(1).nullable();
const Answer = z.union([z.boolean(), z.string(), z.number()]).nullable();

/** The member `judge` of a verdict (online.md 3). */
export const JudgeDetail = z.object({
  /** The answer in the terms of the output: true, a label or a number; null with criteria. */
  output: Answer,
  /** The label, for outputs of type `choice`; null for others, and without a majority. */
  choice: z.string().nullable(),
  reasoning: z.string().nullable(),
  /** Each answer of each judge; empty if none was called. */
  votes: z.array(
    z.object({
      model: z.string(),
      value: rate,
      choice: z.string().nullable(),
      reasoning: z.string(),
      confidence: z.number().min(0).max(1),
    }),
  ),
  /** In the order of the definition; empty if it has none. */
  criteria: z.array(
    z.object({
      name: z.string(),
      value: rate,
      choice: z.string().nullable(),
      met: z.boolean().nullable(),
      reasoning: z.string().nullable(),
      weight: z.number(),
      must_pass: z.boolean(),
    }),
  ),
});
export type JudgeDetail = z.infer<typeof JudgeDetail>;
