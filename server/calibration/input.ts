import { z } from 'zod';
import { intakeLimits } from '../domain';

const Id = z.string().min(1).max(intakeLimits.idChars);

/** Ground truth about one subject, as its caller sends it (api.md, Intake): did it work in the end? */
export const WireOutcome = z
  .object({
    id: Id.nullish(),
    subject_id: Id.nullish(),
    /** Stand for the subject: a verification of it, or the turn that it is. */
    verification_id: Id.nullish(),
    turn_id: Id.nullish(),
    success: z.boolean().nullish(),
    score: z.number().min(0).max(1).nullish(),
    source: z.string().max(200).nullish(),
    note: z.string().max(10_000).nullish(),
  })
  .refine(({ subject_id, turn_id, verification_id }) => (subject_id ?? turn_id ?? verification_id ?? null) !== null, {
    path: ['subject_id'],
    message: 'name the subject, or a verification_id or turn_id of it',
  })
  .refine(({ subject_id, turn_id }) => (subject_id ?? turn_id) === (turn_id ?? subject_id), {
    path: ['turn_id'],
    message: 'names another subject than subject_id: send one of them',
  })
  .refine(({ success, score }) => (success ?? score ?? null) !== null, {
    path: ['success'],
    message: 'say success (true or false) or score (0 to 1)',
  });
export type WireOutcome = z.infer<typeof WireOutcome>;
