import { z } from 'zod';
import { Cell, MeasureIn } from './measure-input';

/**
 * The field of a slice: the model that did the work, the judge, QEL's tier, SOAR's complexity, or
 * the mission.
 */
export const sliceFields = ['model', 'judge', 'tier', 'complexity', 'mission'] as const;
export const SliceField = z.enum(sliceFields);
export type SliceField = z.infer<typeof SliceField>;

export const Slice = z.object({ by: SliceField, value: z.string().max(500) });
export type Slice = z.infer<typeof Slice>;

/**
 * A `verifier` with its version (`task@3`) selects only that version; `policy` selects labels of
 * that version only, with 0 for those without one.
 */
export const ReportIn = MeasureIn.extend({
  policy: z.number().int().min(0).max(2_147_483_647).optional(),
  slice: Slice.optional(),
});

/** Selects the rows that one number of a verifier counts, with the filters of a report. */
export const ListLabelledVerdictsIn = MeasureIn.omit({ days: true }).extend({
  cell: Cell,
  policy: z.number().int().min(0).max(2_147_483_647).optional(),
  slice: Slice.optional(),
  from: z.date().optional(),
  to: z.date().optional(),
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
});
