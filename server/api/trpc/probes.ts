import { getProbe, listProbes, planProbe, startProbe } from '../../experiments';
import { ProbeIn, ProbesIn, StartProbeIn } from '../../experiments/input';
import { projectProcedure, router } from './builders';

export const probesRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProbesIn)
    .query(({ ctx, input: { verifier } }) => listProbes(ctx.project, { verifier })),
  get: projectProcedure('verdicts.read')
    .input(ProbeIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) => getProbe(ctx.project, wanted)),
  plan: projectProcedure('settings.write')
    .input(StartProbeIn)
    .query(
      async ({ ctx, input: { project: _project, ...wanted } }) =>
        (await planProbe(ctx.project, ctx.runtime.subjects, wanted)).plan,
    ),
  start: projectProcedure('settings.write')
    .input(StartProbeIn)
    .mutation(({ ctx, input: { project: _project, ...wanted } }) =>
      startProbe(ctx.project, ctx.runtime.subjects, wanted),
    ),
});
