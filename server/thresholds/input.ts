import { z } from 'zod';
import { intakeLimits, plainName } from '../domain';

const Project = z.object({ project: z.string().min(2).max(40) });
const Id = plainName(intakeLimits.idChars);

/**
 * The work that a value applies to: the whole project, a mission, or one task, with or without a
 * mission.
 */
const ScopeIn = z.strictObject({
  mission_id: Id.nullable().default(null),
  task_id: Id.nullable().default(null),
});

/**
 * A value to set. Null removes the scope's own value, and the wider scope's value applies again.
 */
export const ThresholdBody = z.strictObject({
  value: z.number().nullable(),
  scope: ScopeIn.default({ mission_id: null, task_id: null }),
  reason: z.string().max(1000).nullable().default(null),
  /**
   * The scope's version that the change is based on, 0 if none. If another version is current,
   * nothing changes.
   */
  expected_version: z.number().int().min(0).optional(),
});
export type ThresholdBody = z.infer<typeof ThresholdBody>;

export const ListThresholdsIn = z.strictObject({
  ...Project.shape,
  verifier: z.string().max(100).optional(),
});
export const PutThresholdIn = z.strictObject({
  ...Project.shape,
  verifier: z.string().min(1).max(100),
  key: z.string().min(1).max(100),
  body: ThresholdBody,
});
export const ThresholdChangesIn = z.strictObject({
  ...Project.shape,
  verifier: z.string().min(1).max(100),
});
export const UndoThresholdIn = z.strictObject({
  ...Project.shape,
  verifier: z.string().min(1).max(100),
  key: z.string().min(1).max(100),
  missionId: Id.nullable(),
  taskId: Id.nullable(),
  version: z.number().int().min(1),
  reason: z.string().max(1000).nullable(),
});

export * from './trust/trust-input';

/** Values of several keys of one verifier, set together for one scope, with a reason. */
const ApplyBody = z.strictObject({
  changes: z
    .array(
      z.strictObject({
        key: z.string().min(1).max(100),
        value: z.number().nullable(),
        expected_version: z.number().int().min(0),
      }),
    )
    .min(1)
    .max(20)
    .refine((changes) => new Set(changes.map(({ key }) => key)).size === changes.length, {
      message: 'must name each key once',
    }),
  scope: ScopeIn.default({ mission_id: null, task_id: null }),
  reason: z.string().trim().min(1).max(1000),
});
export const ApplyThresholdsIn = z.strictObject({
  ...Project.shape,
  verifier: z.string().min(1).max(100),
  body: ApplyBody,
});
