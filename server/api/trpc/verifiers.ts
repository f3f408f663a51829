import { ProjectRef } from '../../access/input';
import { findVerdictSubject, getJudging, getVerifier, listVerifiers } from '../../verdicts';
import { archiveVerifier, describeDefinition, findVerifier, putConfig } from '../../catalog';
import { defineVerifier, getDraftTry, startDraftTry } from '../../experiments';
import { DraftTryIn, StartDraftTryIn } from '../../experiments/input';
import { notFound } from '../../platform';
import { DefineVerifierIn, GetVerdictIn, GetVerifierIn, PutVerifierIn } from '../../verdicts/input';
import { projectProcedure, router } from './builders';

export const verifiersRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listVerifiers(ctx.project)),
  get: projectProcedure('verdicts.read')
    .input(GetVerifierIn)
    .query(({ ctx, input }) => getVerifier(ctx.project, ctx.runtime.subjects, input.slug)),
  put: projectProcedure('settings.write')
    .input(PutVerifierIn)
    .mutation(({ ctx, input: { slug, config, reason } }) =>
      putConfig(ctx.project, ctx.runtime.subjects.kinds, slug, { config, reason }),
    ),
  /** The definition that the project wrote; only for verifiers that it defined. */
  definition: projectProcedure('verdicts.read')
    .input(GetVerifierIn)
    .query(async ({ ctx: { project, runtime }, input }) => {
      const found = await findVerifier(project, project.projectId, input.slug);
      if (found === null || found.custom === null) throw notFound('verifier');
      return describeDefinition(project, runtime.subjects.prompts, found);
    }),
  /** Creates a verifier of the project, or stores its next version. */
  define: projectProcedure('settings.write')
    .input(DefineVerifierIn)
    .mutation(async ({ ctx: { project, runtime }, input: { slug, definition }, signal }) => {
      const stored = await defineVerifier(project, runtime.subjects.prompts, {
        slug,
        definition,
        signal: signal ?? new AbortController().signal,
      });
      runtime.rules.forget(project.projectId);
      return stored;
    }),
  /** Tries a definition on stored subjects; `tried` has the result, and `jobs.cancel` ends it. */
  startTry: projectProcedure('settings.write')
    .input(StartDraftTryIn)
    .mutation(({ ctx: { project }, input }) => startDraftTry(project, input)),
  tried: projectProcedure('settings.write')
    .input(DraftTryIn)
    .query(({ ctx: { project }, input }) => getDraftTry(project, input.id)),
  archive: projectProcedure('settings.write')
    .input(GetVerifierIn)
    .mutation(async ({ ctx: { project, runtime }, input: { slug } }) => {
      if (!(await archiveVerifier(project, slug))) throw notFound('verifier');
      runtime.rules.forget(project.projectId);
    }),
  /** The subject of a verdict, when it is not a turn. */
  subject: projectProcedure('verdicts.read')
    .input(GetVerdictIn)
    .query(({ ctx, input }) => findVerdictSubject(ctx.project, input.id)),
  /** How work is judged; visible to every member, since verdicts depend on it. */
  judging: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => getJudging(ctx.project)),
});
