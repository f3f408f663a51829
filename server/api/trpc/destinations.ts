import { ProjectRef } from '../../access/input';
import {
  createDestination,
  deleteDestination,
  listDeliveries,
  listDestinations,
  replayDelivery,
  sendTest,
  updateDestination,
} from '../../deliveries';
import {
  CreateDestinationIn,
  DestinationIn,
  ListDeliveriesIn,
  UpdateDestinationIn,
} from '../../deliveries/input';
import { projectProcedure, router } from './builders';

/**
 * Addresses of receivers are settings, and often secrets too: only a user who may change them may
 * read them.
 */
export const destinationsRouter = router({
  list: projectProcedure('settings.write')
    .input(ProjectRef)
    .query(({ ctx }) => listDestinations(ctx.project)),
  create: projectProcedure('settings.write')
    .input(CreateDestinationIn)
    .mutation(({ ctx, input: { project: _project, ...input } }) =>
      createDestination(ctx.project, input),
    ),
  update: projectProcedure('settings.write')
    .input(UpdateDestinationIn)
    .mutation(({ ctx, input: { project: _project, id, ...input } }) =>
      updateDestination(ctx.project, id, input),
    ),
  delete: projectProcedure('settings.write')
    .input(DestinationIn)
    .mutation(({ ctx, input }) => deleteDestination(ctx.project, input.id)),
  test: projectProcedure('settings.write')
    .input(DestinationIn)
    .mutation(({ ctx, input }) => sendTest(ctx.project, input.id)),
  deliveries: projectProcedure('settings.write')
    .input(ListDeliveriesIn)
    .query(({ ctx, input: { project: _project, ...input } }) => listDeliveries(ctx.project, input)),
  replay: projectProcedure('settings.write')
    .input(DestinationIn)
    .mutation(({ ctx, input }) => replayDelivery(ctx.project, input.id)),
});
