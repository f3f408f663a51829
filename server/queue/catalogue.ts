import { z } from 'zod';

/**
 * A kind of job, declared separately from its handler. A job is only a notification: the row is the
 * source of truth, which counts attempts and holds the lease and the fence. So a lost job costs a
 * delay, and a duplicate has no effect.
 */
export interface JobKind<Data> {
  /** `<module>.<verb>` */
  readonly name: `${string}.${string}`;
  readonly data: z.ZodType<Data>;
  /** Attempts that the queue itself makes; 1 where the row counts attempts. */
  readonly attempts: number;
  /** Delay between the queue's own attempts, doubled each time. */
  readonly backoffMs: number;
  /** Maximum duration of one run. */
  readonly timeoutMs: number;
}

export const JudgeJobData = z.strictObject({
  rows: z
    .array(
      z.strictObject({
        project_id: z.string().min(1),
        work_id: z.string().min(1),
        revision: z.number().int().min(0),
        /** The row's fence at publication: it grows with every claim. */
        fence: z.number().int().min(0),
      }),
    )
    .min(1),
  /**
   * As in the rows: 2 and above mean that the worker was lost before; few such rows run at a time.
   */
  priority: z.number().int().min(0).max(3),
});
export type JudgeJobData = z.infer<typeof JudgeJobData>;

/**
 * Publishes rows of the slow lane, whose verifiers call a model. Each row counts its attempts (at
 * most 5) and backs off (1, 2, 4 … s).
 */
export const judgeJob: JobKind<JudgeJobData> = {
  name: 'verdicts.judge',
  data: JudgeJobData,
  attempts: 1,
  backoffMs: 0,
  timeoutMs: 10 * 60_000,
};
