import { ProjectRef } from '../../access/input';
import { listTrust, listTrustChanges, putTrustSettings } from '../../trust';
import { listTrustSettings } from '../../thresholds';
import { PutTrustSettingsIn, TrustHistoryIn } from '../../thresholds/input';
import { projectProcedure, router } from './builders';

export const trustRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listTrust(ctx.project)),
  history: projectProcedure('verdicts.read')
    .input(TrustHistoryIn)
    .query(({ ctx, input: { verifier } }) => listTrustChanges(ctx.project, { verifier })),
  settings: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listTrustSettings(ctx.project)),
  putSettings: projectProcedure('settings.write')
    .input(PutTrustSettingsIn)
    .mutation(({ ctx, input: { project: _project, ...change } }) =>
      putTrustSettings(ctx.project, change),
    ),
});
