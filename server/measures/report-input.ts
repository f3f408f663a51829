import { z } from 'zod';
import { Cell, MeasureIn } from './measure-input';

/**
 * What a slice goes by: the model that did the work, the judge, QEL's tier, SOAR's complexity, or
 * the mission.
 */
export const sliceFields = ['model', 'judge', 'tier', 'complexity', 'mission'] as const;
export const SliceField = z.enum(sliceFields);
export type SliceField = z.infer<typeof SliceField>;

export const Slice = z.object({ by: SliceField, value: z.string().max(500) });
export type Slice = z.infer<typeof Slice>;

/**
 * `verifier` with its version (`task@3`) measures that version alone; `policy` takes labels of that
 * version alone, 0 those without.
 */
export const ReportIn = MeasureIn.extend({
  policy: z.number().int().min(0).max(2_147_483_647).optional(),
  slice: Slice.optional(),
});

/** Rows behind one number of a verifier, narrowed as a report is. */
export const ListJudgementsIn = MeasureIn.omit({ days: true }).extend({
  cell: Cell,
  policy: z.number().int().min(0).max(2_147_483_647).optional(),
  slice: Slice.optional(),
  from: z.date().optional(),
  to: z.date().optional(),
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
});
