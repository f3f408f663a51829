import { z } from 'zod';
import { intakeLimits, isBlank, plainName } from '../../domain';

const Id = plainName(intakeLimits.idChars);
const rate = z.number().min(0).max(1);

const TASKS_MAX = 100;

/**
 * One task of the mission. `score` and `verdict` come from the named verification, or else are as
 * submitted.
 */
const MissionTask = z.object({
  task_id: Id,
  description: z.string().max(100_000).default(''),
  output: z.string().default(''),
  verification_id: Id.nullish().transform((id) => id ?? null),
  score: rate.nullish().transform((score) => score ?? null),
  verdict: z
    .string()
    .max(50)
    .nullish()
    .transform((verdict) => verdict ?? null),
});

/** The members of `POST /v1/verify/mission` that only this kind has (VS-17). */
export const MissionSubject = z.object({
  description: z
    .string()
    .trim()
    .max(100_000)
    .refine((text) => !isBlank(text), 'must not be empty'),
  tasks: z
    .array(MissionTask)
    .min(1, 'must name at least one task')
    .max(TASKS_MAX)
    .refine(
      (tasks) => new Set(tasks.map(({ task_id }) => task_id)).size === tasks.length,
      'must name each task_id once',
    ),
});
export type MissionSubject = z.infer<typeof MissionSubject>;

export const MissionConfig = z.object({
  /** Code points of all outputs together that the judge sees; each task has an equal share. */
  output_chars: z.number().int().min(2_000).max(200_000).default(24_000),
});
export type MissionConfig = z.infer<typeof MissionConfig>;

/** The member `mission` of a verdict. */
export const MissionDetail = z.object({
  verdict: z.enum(['pass', 'partial', 'fail']).nullable(),
  confidence: rate.nullable(),
  aggregate_score: rate.nullable(),
  /** A summary for the person who decides; null if no judge wrote one. */
  summary: z.string().nullable(),
  /** The weakest first, at most three. */
  weakest: z.array(z.object({ task_id: z.string(), reason: z.string() })),
});
export type MissionDetail = z.infer<typeof MissionDetail>;
