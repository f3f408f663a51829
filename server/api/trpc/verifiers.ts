import { ProjectRef } from '../../access/input';
import { findVerdictSubject, getJudging, getVerifier, listVerifiers } from '../../verdicts';
import { putConfig } from '../../catalog';
import { GetVerdictIn, GetVerifierIn, PutVerifierIn } from '../../verdicts/input';
import { projectProcedure, router } from './builders';

export const verifiersRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listVerifiers(ctx.project, ctx.runtime.subjects)),
  get: projectProcedure('verdicts.read')
    .input(GetVerifierIn)
    .query(({ ctx, input }) => getVerifier(ctx.project, ctx.runtime.subjects, input.slug)),
  put: projectProcedure('settings.write')
    .input(PutVerifierIn)
    .mutation(({ ctx, input: { slug, config, reason } }) =>
      putConfig(ctx.project, ctx.runtime.subjects.kinds, slug, { config, reason }),
    ),
  /** The subject of a verdict, when it is not a turn. */
  subject: projectProcedure('verdicts.read')
    .input(GetVerdictIn)
    .query(({ ctx, input }) => findVerdictSubject(ctx.project, input.id)),
  /** How work is judged; visible to every member, since verdicts depend on it. */
  judging: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => getJudging(ctx.project)),
});
