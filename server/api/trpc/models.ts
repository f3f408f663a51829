import { ProjectRef } from '../../access/input';
import {
  deleteAlias,
  deleteOwnPrice,
  listModelSettings,
  putAlias,
  putOwnPrice,
} from '../../ingest';
import { AliasIn, OwnPriceIn, PutAliasIn, PutOwnPriceIn } from '../../ingest/input';
import { listModelDays, listModels } from '../../verdicts';
import { projectProcedure, router } from './builders';

export const modelsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listModels(ctx.project)),
  days: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listModelDays(ctx.project)),
  settings: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listModelSettings(ctx.project)),
  putAlias: projectProcedure('settings.write')
    .input(PutAliasIn)
    .mutation(({ ctx, input: { project: _project, ...input } }) => putAlias(ctx.project, input)),
  deleteAlias: projectProcedure('settings.write')
    .input(AliasIn)
    .mutation(({ ctx, input }) => deleteAlias(ctx.project, input.alias)),
  putPrice: projectProcedure('settings.write')
    .input(PutOwnPriceIn)
    .mutation(({ ctx, input: { project: _project, ...input } }) => putOwnPrice(ctx.project, input)),
  deletePrice: projectProcedure('settings.write')
    .input(OwnPriceIn)
    .mutation(({ ctx, input }) => deleteOwnPrice(ctx.project, input)),
});
