import { z } from 'zod';
import { MoveLabelIn, PromptIn, PromptVersionIn } from '../../prompts/input';
import { JudgeSettings, UpdateSettingsIn } from '../../verdicts/input';

/** Why someone overrides the gate, or requests a change. */
const Reason = z.string().trim().max(1_000);

/** A person's instruction to the gate, sent with the change. */
export const GateWord = z.strictObject({
  /** Promotes an option that a trial found worse; needs a reason, and the mode `advise`. */
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
/** `slug` names a prompt; '' selects changes of judges; omitted means all. */
export const PromotionsIn = z.strictObject({
  project: PromptIn.shape.project,
  slug: z.union([z.literal(''), PromptIn.shape.slug]).optional(),
});
export const PromotionIn = z.strictObject({
  project: PromptIn.shape.project,
  id: z.string().min(1).max(300),
});
