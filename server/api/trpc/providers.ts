import { ProjectRef } from '../../access/input';
import { deleteProvider, listProviders, putProvider, tryProvider } from '../../llm';
import { ProviderIn, PutProviderIn, TestProviderIn } from '../../llm/input';
import { projectProcedure, router } from './builders';

/** Every member sees the judges' providers, with masked keys (S-100): a verdict names its judge. */
export const providersRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listProviders(ctx.project)),
  put: projectProcedure('settings.write')
    .input(PutProviderIn)
    .mutation(({ ctx, input: { project: _project, name, ...input } }) =>
      putProvider(ctx.project, name, input),
    ),
  delete: projectProcedure('settings.write')
    .input(ProviderIn)
    .mutation(({ ctx, input }) => deleteProvider(ctx.project, input.name)),
  /** Costs money, so only a user who may set a key may test it. */
  test: projectProcedure('settings.write')
    .input(TestProviderIn)
    .mutation(({ ctx, input }) =>
      tryProvider(
        ctx.runtime.subjects.askFor({ projectId: ctx.project.projectId, verdictId: null }),
        input,
      ),
    ),
});
