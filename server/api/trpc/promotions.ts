import {
  approvePromotion,
  checkJudge,
  checkPrompt,
  listPromotions,
  rollBackPromotion,
  withdrawPromotion,
} from '../../experiments';
import { CheckJudgeIn, CheckPromptIn, PromotionIn, PromotionsIn } from '../../experiments/input';
import { projectProcedure, router } from './builders';

/** Owners and admins may write prompts, and the same roles may set judges. */
export const promotionsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(PromotionsIn)
    .query(({ ctx, input }) => listPromotions(ctx.project, input)),
  /** The gate's decision for the version; changes nothing. */
  check: projectProcedure('verdicts.read')
    .input(CheckPromptIn)
    .query(({ ctx, input }) => checkPrompt(ctx.project, ctx.runtime.prompts, input)),
  checkJudge: projectProcedure('verdicts.read')
    .input(CheckJudgeIn)
    .query(({ ctx, input }) => checkJudge(ctx.project, ctx.runtime.prompts, input)),
  approve: projectProcedure('prompts.write')
    .input(PromotionIn)
    .mutation(({ ctx, input }) => approvePromotion(ctx.project, ctx.runtime.prompts, input)),
  withdraw: projectProcedure('prompts.write')
    .input(PromotionIn)
    .mutation(({ ctx, input }) => withdrawPromotion(ctx.project, input)),
  rollBack: projectProcedure('prompts.write')
    .input(PromotionIn)
    .mutation(({ ctx, input }) => rollBackPromotion(ctx.project, ctx.runtime.prompts, input)),
});
