import { z } from 'zod';
import { Outcome } from '../domain';

const Slug = z.string().min(2).max(40);
const Text = z.string().max(300);

/** Filters of the verdict list; the same in the console's URL and over HTTP. */
export const VerdictFilters = z.strictObject({
  outcome: z.array(Outcome).max(6).optional(),
  verifier: Text.optional(),
  model: Text.optional(),
  session: Text.optional(),
  turn: Text.optional(),
  trace: Text.optional(),
  subject: Text.optional(),
  kind: Text.optional(),
  text: Text.optional(),
  from: z.date().optional(),
  to: z.date().optional(),
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
});
export type VerdictFilters = z.infer<typeof VerdictFilters>;

export const ListVerdictsIn = VerdictFilters.extend({ project: Slug });
export const GetVerdictIn = z.strictObject({ project: Slug, id: z.string().min(1).max(200) });
export const OverviewIn = z.strictObject({ project: Slug, days: z.union([z.literal(1), z.literal(7), z.literal(30)]) });
export const ReplayIn = z.strictObject({ project: Slug, subjectId: z.string().min(1).max(200), verifier: z.string().min(1).max(100) });

/** Settings of a project that issue from the integrity verifier. */
export const IntegritySettings = z.strictObject({
  integrityEnabled: z.boolean().optional(),
  allowUserFigures: z.boolean().optional(),
  derivedCountsAsSourced: z.boolean().optional(),
});
export type IntegritySettings = z.infer<typeof IntegritySettings>;
export const UpdateSettingsIn = IntegritySettings.extend({ project: Slug });
