import { z } from 'zod';
import { intakeLimits, plainName } from '../domain';

const Project = z.object({ project: z.string().min(2).max(40) });
const Id = plainName(intakeLimits.idChars);

/** Which work a value is for: all of the project, a mission, or one task of a mission (or of none). */
const ScopeIn = z.strictObject({ mission_id: Id.nullable().default(null), task_id: Id.nullable().default(null) });

/** A value to set; null takes the scope's own value back, and the wider scope's holds again. */
export const ThresholdBody = z.strictObject({
  value: z.number().nullable(),
  scope: ScopeIn.default({ mission_id: null, task_id: null }),
  reason: z.string().max(1000).nullable().default(null),
});
export type ThresholdBody = z.infer<typeof ThresholdBody>;

export const ListThresholdsIn = z.strictObject({ ...Project.shape, verifier: z.string().max(100).optional() });
export const PutThresholdIn = z.strictObject({
  ...Project.shape,
  verifier: z.string().min(1).max(100),
  key: z.string().min(1).max(100),
  body: ThresholdBody,
});
