import { z } from 'zod';
import { PromptIn, PromptVersionIn } from '../../prompts/input';
import { JudgeSpec } from '../../verdicts/input';

/** Which labelled subjects a trial takes: the latest, or a sample that the seed decides. */
export const TrialOrder = z.enum(['newest', 'sample']);
export type TrialOrder = z.infer<typeof TrialOrder>;

/** Between the members of a jury, as verdicts name it. */
export const seatMark = ' + ';
const seatsMost = 3;

/**
 * A judge by its model spec, or a jury: its members joined by ` + `, the first one being the
 * default judge.
 */
const JudgeSeats = z
  .string()
  .max(1_300)
  .refine(
    (text) => {
      const seats = text.split(seatMark);
      return (
        seats.length <= seatsMost &&
        new Set(seats).size === seats.length &&
        seats.every((seat) => JudgeSpec.safeParse(seat).success)
      );
    },
    {
      message:
        'must be a judge written as provider:model, or a jury of two or three different ones joined by " + "',
    },
  );

/** What is held against each other: a version of the prompt, and who judges with it. */
const Against = z.strictObject({
  /** Left out: the version in production. */
  version: PromptVersionIn.shape.version.optional(),
  /** Left out: whoever would judge now. */
  judge: JudgeSeats.optional(),
});

/** A trial of a prompt version, or of a judge, on labelled subjects; A against B (SOAR-37). */
export const TrialBody = z.strictObject({
  /** At most so many subjects. */
  subjects: z.number().int().min(1).max(200).default(50),
  order: TrialOrder.default('newest'),
  /** The same seed draws the same sample. */
  seed: z.number().int().min(0).max(1_000_000_000).default(1),
  /** Who judges with the version that is tried; left out: whoever would judge now. */
  judge: JudgeSeats.optional(),
  /** Left out: what runs now. */
  against: Against.optional(),
  /**
   * Of the labelled subjects only those that are held out for tests: the promotion gate goes by no
   * others (calibration.md 5.10).
   */
  heldOut: z.boolean().default(false),
});
export type TrialBody = z.infer<typeof TrialBody>;

export const TrialsIn = PromptIn;
export const StartTrialIn = PromptVersionIn.extend(TrialBody.shape);
export const TrialIn = PromptIn.extend({ id: z.string().min(1).max(300) });
