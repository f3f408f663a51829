import { z } from 'zod';
import { ProjectRef } from '../../access/input';
import { intakeLimits, plainName } from '../../domain';
import { Days } from '../../measures/input';

const Id = plainName(intakeLimits.idChars);
const Scope = z.strictObject({
  mission_id: Id.nullable().default(null),
  task_id: Id.nullable().default(null),
});

/** Values to try, on the threshold's own scale. */
export const SimulateBody = z.strictObject({
  values: z.array(z.number()).min(1).max(101),
  scope: Scope.default({ mission_id: null, task_id: null }),
  /** Number of whole UTC days up to today; 0 means all. */
  days: Days.default(0),
  /** The costs of a missed failure, a false rejection and a review, in one unit. */
  prices: z
    .strictObject({
      missed: z.number().min(0).max(1e6),
      rejected: z.number().min(0).max(1e6),
      review: z.number().min(0).max(1e6),
    })
    .default({ missed: 10, rejected: 1, review: 1 }),
  /** Reads only the labelled verdicts and omits the slow figures. */
  labelled_only: z.boolean().default(false),
  /** Number of flipped verdicts returned for each value. */
  sample: z.number().int().min(0).max(20).default(20),
});
export type SimulateBody = z.infer<typeof SimulateBody>;

const ThresholdRef = ProjectRef.extend({
  verifier: z.string().min(1).max(100),
  key: z.string().min(1).max(100),
});

export const SimulateIn = ThresholdRef.extend({ body: SimulateBody });
export const FlipsIn = ThresholdRef.extend({
  value: z.number(),
  scope: Scope.default({ mission_id: null, task_id: null }),
  days: Days,
  cursor: z.string().max(500).optional(),
});

/** SOAR-33: with fewer labelled verdicts no value is suggested. */
export const minForSuggestion = 100;
