import { z } from 'zod';
import { ProjectRef } from '../access/input';

/**
 * The number whose rows are listed. Besides the four cells of the matrix: `undecided`, with truth
 * and neither passed nor failed; `unparseable`, unreadable replies; `bad`, `good`, `labelled` and
 * `agreed`, sums of the matrix; `ruled` and `overruled`, rulings by people and overrides among
 * them; `passes` and `decided`, of imported judges, with or without truth.
 */
export const Cell = z.enum([
  'caught',
  'missed',
  'rejected',
  'passed',
  'undecided',
  'unparseable',
  'bad',
  'good',
  'labelled',
  'agreed',
  'ruled',
  'overruled',
  'passes',
  'decided',
]);
export type Cell = z.infer<typeof Cell>;

/** `verifier`: a verifier of this instance; `imported`: a judge whose verdicts were imported. */
export const Origin = z.enum(['verifier', 'imported']);
export type Origin = z.infer<typeof Origin>;

/** Number of whole UTC days up to today; 0 means all. */
export const Days = z.union([z.literal(7), z.literal(30), z.literal(90), z.literal(0)]);
export type Days = z.infer<typeof Days>;

const Name = z.string().min(1).max(300);
/** The model that judged, as named in verdicts. */
const Judge = z.string().min(1).max(500).optional();

export const MeasuresIn = ProjectRef.extend({ days: Days });
export const MeasureIn = MeasuresIn.extend({ verifier: Name, origin: Origin, judge: Judge });

/** Configuration changes of one verifier or of all; 1 day means today. */
export const ChangeMarksIn = ProjectRef.extend({
  days: z.union([z.literal(1), Days]),
  verifier: Name.optional(),
});
export const VerifierMeasuresIn = MeasuresIn.extend({ verifier: Name });
