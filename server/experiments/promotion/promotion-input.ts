import { z } from 'zod';
import { MoveLabelIn, PromptIn, PromptVersionIn } from '../../prompts/input';
import { JudgeSettings, UpdateSettingsIn } from '../../verdicts/input';

/** Why somebody goes against the gate's word, or asks for a change. */
const Reason = z.string().trim().max(1_000);

/** What a person says to the gate, in addition to what is to change. */
export const GateWord = z.strictObject({
  /** Lets in what a trial says is worse; needs a reason, and a gate that only advises. */
  force: z.boolean().optional(),
  reason: Reason.optional(),
});
export type GateWord = z.infer<typeof GateWord>;

export const PromoteIn = MoveLabelIn.extend(GateWord.shape);
export const ChangeSettingsIn = UpdateSettingsIn.extend(GateWord.shape);
export const CheckPromptIn = PromptVersionIn;
export const CheckJudgeIn = z.strictObject({
  project: PromptIn.shape.project,
  defaultJudge: JudgeSettings.shape.defaultJudge,
  jury: JudgeSettings.shape.jury,
});
/** `slug` of a prompt; '' those of judges, left out all. */
export const PromotionsIn = z.strictObject({
  project: PromptIn.shape.project,
  slug: z.union([z.literal(''), PromptIn.shape.slug]).optional(),
});
export const PromotionIn = z.strictObject({
  project: PromptIn.shape.project,
  id: z.string().min(1).max(300),
});
