import { IdIn } from '../../access/input';
import { findTurnLinks } from '../../experiments';
import { listDecisions } from '../../rules';
import { getOriginal, getTurnPage, listReceived } from '../../ingest';
import { ListReceivedIn } from '../../ingest/input';
import { projectProcedure, router } from './builders';
import { asTurn } from './turn-view';
import { withRulings } from './with-rulings';

export const turnsRouter = router({
  received: projectProcedure('verdicts.read')
    .input(ListReceivedIn)
    .query(({ ctx, input: { project: _project, ...filters } }) =>
      listReceived(ctx.project, filters),
    ),
  get: projectProcedure('verdicts.read')
    .input(IdIn)
    .query(async ({ ctx, input }) => {
      const page = await getTurnPage(ctx.project, input.id);
      const [{ items: decisions }, links] = await Promise.all([
        listDecisions(ctx.project, { subject: input.id, limit: 50 }),
        findTurnLinks(ctx.project, input.id),
      ]);
      const [ruled] = await withRulings(ctx.project, [page]);
      const marks = ruled?.marks ?? [];
      return { ...page, marks, turn: asTurn(page.turn), decisions, links };
    }),
  original: projectProcedure('verdicts.read')
    .input(IdIn)
    .query(async ({ ctx, input }) => ({
      base64: (await getOriginal(ctx.project, input.id)).toString('base64'),
    })),
});
