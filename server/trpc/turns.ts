import type { ProjectCtx } from '../access';
import { IdIn } from '../access/input';
import { type Decision, listDecisions } from '../rules';
import { getOriginal, getTurnPage } from '../traces';
import { projectProcedure, router } from './builders';
import { asTurn } from './turn-view';

export const turnsRouter = router({
  get: projectProcedure('verdicts.read')
    .input(IdIn)
    .query(async ({ ctx, input }) => {
      const page = await getTurnPage(ctx.project, input.id);
      return { ...page, turn: asTurn(page.turn), decisions: await decisionsOf(ctx.project, input.id) };
    }),
  /** Why a turn has a verdict, or has none. */
  why: projectProcedure('verdicts.read')
    .input(IdIn)
    .query(({ ctx, input }) => decisionsOf(ctx.project, input.id)),
  original: projectProcedure('verdicts.read')
    .input(IdIn)
    .query(async ({ ctx, input }) => ({ base64: (await getOriginal(ctx.project, input.id)).toString('base64') })),
});

async function decisionsOf(project: ProjectCtx, subject: string): Promise<readonly Decision[]> {
  return (await listDecisions(project, { subject, limit: 50 })).items;
}
