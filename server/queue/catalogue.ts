import { z } from 'zod';

/**
 * A kind of job, declared once and apart from what does it. A job is a hint and never the truth:
 * what is owed is in a row, which counts attempts, holds the lease and has the fence. So a job
 * that is lost costs a delay, and one that comes twice finds nothing to do.
 */
export interface JobKind<Data> {
  /** Room dot verb. */
  readonly name: `${string}.${string}`;
  readonly data: z.ZodType<Data>;
  /** Tries that the queue itself makes; 1 where the row decides about tries. */
  readonly attempts: number;
  /** Between the queue's own tries, doubled each time. */
  readonly backoffMs: number;
  /** So long one run may take in all. */
  readonly timeoutMs: number;
}

export const JudgeJobData = z.strictObject({
  rows: z
    .array(
      z.strictObject({
        project_id: z.string().min(1),
        work_id: z.string().min(1),
        revision: z.number().int().min(0),
        /** Of the row when it was published: grows with every claim. */
        fence: z.number().int().min(0),
      }),
    )
    .min(1),
  /** As in the rows: from 2 on the worker was lost before, and few such rows run next to it. */
  priority: z.number().int().min(0).max(3),
});
export type JudgeJobData = z.infer<typeof JudgeJobData>;

/**
 * Rows of the slow lane are due: their verifiers ask a model. Each row counts its attempts (at most
 * 5) and backs off (1, 2, 4 … s).
 */
export const judgeJob: JobKind<JudgeJobData> = {
  name: 'verdicts.judge',
  data: JudgeJobData,
  attempts: 1,
  backoffMs: 0,
  timeoutMs: 10 * 60_000,
};
