import { z } from 'zod';
import { PromptIn, PromptVersionIn } from '../../prompts/input';

/** Which labelled subjects a trial takes: the latest, or a sample that the seed decides. */
export const TrialOrder = z.enum(['newest', 'sample']);
export type TrialOrder = z.infer<typeof TrialOrder>;

/** A trial of a prompt version on labelled subjects. */
export const TrialBody = z.strictObject({
  /** At most so many subjects. */
  subjects: z.number().int().min(1).max(200).default(50),
  order: TrialOrder.default('newest'),
  /** The same seed draws the same sample. */
  seed: z.number().int().min(0).max(1_000_000_000).default(1),
});
export type TrialBody = z.infer<typeof TrialBody>;

export const TrialsIn = PromptIn;
export const StartTrialIn = PromptVersionIn.extend(TrialBody.shape);
export const TrialIn = PromptIn.extend({ id: z.string().min(1).max(300) });
