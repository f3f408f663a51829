import { z } from 'zod';
import { PromptIn, PromptVersionIn } from '../../prompts/input';
import { JudgeSpec } from '../../verdicts/input';

/** The labelled subjects of a trial: the latest, or a sample determined by the seed. */
export const TrialOrder = z.enum(['newest', 'sample']);
export type TrialOrder = z.infer<typeof TrialOrder>;

/** Separates the members of a jury, as in verdicts. */
export const judgeSeparator = ' + ';
const maxJudges = 3;

/**
 * A judge as a model spec, or a jury as its members joined by ` + `; the first member is the
 * default judge.
 */
const JudgeList = z
  .string()
  .max(1_300)
  .refine(
    (text) => {
      const judges = text.split(judgeSeparator);
      return (
        judges.length <= maxJudges &&
        new Set(judges).size === judges.length &&
        judges.every((judge) => JudgeSpec.safeParse(judge).success)
      );
    },
    {
      message:
        'must be a judge written as provider:model, or a jury of two or three different ones joined by " + "',
    },
  );

/** The option to compare with: a version of the prompt, and its judge. */
const Against = z.strictObject({
  /** Omitted means the production version. */
  version: PromptVersionIn.shape.version.optional(),
  /** Omitted means the current judge. */
  judge: JudgeList.optional(),
});

/** A trial of a prompt version or a judge on labelled subjects, A against B (SOAR-37). */
export const TrialBody = z.strictObject({
  /** Maximum number of subjects. */
  subjects: z.number().int().min(1).max(200).default(50),
  order: TrialOrder.default('newest'),
  /** The same seed draws the same sample. */
  seed: z.number().int().min(0).max(1_000_000_000).default(1),
  /** The judge of the candidate version; omitted means the current one. */
  judge: JudgeList.optional(),
  /** Omitted means the current version and judge. */
  against: Against.optional(),
  /**
   * Use only held-out labelled subjects: the promotion gate uses no others (calibration.md 5.10).
   */
  heldOut: z.boolean().default(false),
});
export type TrialBody = z.infer<typeof TrialBody>;

export const TrialsIn = PromptIn;
export const StartTrialIn = PromptVersionIn.extend(TrialBody.shape);
export const TrialIn = PromptIn.extend({ id: z.string().min(1).max(300) });
