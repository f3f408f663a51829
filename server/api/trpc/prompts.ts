import { ProjectRef } from '../../access/input';
import { getTrial, listTrials, planTrial, promotePrompt, startTrial } from '../../experiments';
import { PromoteIn, StartTrialIn, TrialIn, TrialsIn } from '../../experiments/input';
import {
  createPrompt,
  getPrompt,
  getPromptBody,
  listPrompts,
  moveLabel,
  previewPrompt,
  savePrompt,
} from '../../prompts';
import { PreviewPromptIn, PromptIn, PromptVersionIn, SavePromptIn } from '../../prompts/input';
import { projectProcedure, router } from './builders';

export const promptsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listPrompts(ctx.project, ctx.runtime.prompts)),
  get: projectProcedure('verdicts.read')
    .input(PromptIn)
    .query(({ ctx, input }) => getPrompt(ctx.project, ctx.runtime.prompts, input.slug)),
  body: projectProcedure('verdicts.read')
    .input(PromptVersionIn)
    .query(({ ctx, input }) =>
      getPromptBody(ctx.project, ctx.runtime.prompts, input.slug, input.version),
    ),
  /** Creates a prompt of an application. */
  create: projectProcedure('prompts.write')
    .input(SavePromptIn)
    .mutation(({ ctx, input }) => createPrompt(ctx.project, ctx.runtime.prompts, input)),
  save: projectProcedure('prompts.write')
    .input(SavePromptIn)
    .mutation(({ ctx, input }) => savePrompt(ctx.project, ctx.runtime.prompts, input)),
  /** The result of a promotion; null for another label, and when the version already runs. */
  moveLabel: projectProcedure('prompts.write')
    .input(PromoteIn)
    .mutation(async ({ ctx, input }) => {
      if (input.label === 'production')
        return promotePrompt(ctx.project, ctx.runtime.prompts, input);
      await moveLabel(ctx.project, ctx.runtime.prompts, input);
      return null;
    }),
  /** Changes nothing; a mutation only because a text may be longer than a URL. */
  preview: projectProcedure('verdicts.read')
    .input(PreviewPromptIn)
    .mutation(({ ctx, input }) => previewPrompt(ctx.project, ctx.runtime.prompts, input)),
  /** Estimate of a trial; starts none. */
  planTrial: projectProcedure('prompts.write')
    .input(StartTrialIn)
    .query(
      async ({ ctx, input }) => (await planTrial(ctx.project, ctx.runtime.subjects, input)).plan,
    ),
  startTrial: projectProcedure('prompts.write')
    .input(StartTrialIn)
    .mutation(({ ctx, input }) => startTrial(ctx.project, ctx.runtime.subjects, input)),
  trials: projectProcedure('verdicts.read')
    .input(TrialsIn)
    .query(({ ctx, input }) => listTrials(ctx.project, input)),
  trial: projectProcedure('verdicts.read')
    .input(TrialIn)
    .query(({ ctx, input }) => getTrial(ctx.project, input)),
});
