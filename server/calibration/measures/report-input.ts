import { z } from 'zod';
import { MeasureIn } from './measure-input';

/** What a slice goes by: the model that did the work, the judge, QEL's tier, SOAR's complexity, or the mission. */
export const sliceFields = ['model', 'judge', 'tier', 'complexity', 'mission'] as const;
export const SliceField = z.enum(sliceFields);
export type SliceField = z.infer<typeof SliceField>;

export const Slice = z.object({ by: SliceField, value: z.string().max(500) });
export type Slice = z.infer<typeof Slice>;

/** `verifier` with its version (`task@3`) measures that version alone; `policy` takes labels of that version alone, 0 those without. */
export const ReportIn = MeasureIn.extend({ policy: z.number().int().min(0).optional(), slice: Slice.optional() });
