import { cancelJob, getJob, listJobs } from '../../queue';
import { ListJobsIn } from '../../queue/input';
import {
  backfillRule,
  deleteRule,
  draftRule,
  getRule,
  listDecisions,
  listRules,
  putRule,
  setRuleEnabled,
} from '../../rules';
import {
  BackfillIn,
  ListDecisionsIn,
  PutRuleIn,
  RuleIn,
  SetRuleEnabledIn,
} from '../../rules/input';
import { IdIn, ProjectRef } from '../../access/input';
import { previewRule } from '../../verdicts';
import { projectProcedure, router } from './builders';

/** The web process reads them on its event loop: fewer than over HTTP. */
const previewLimit = 200;

export const rulesRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listRules(ctx.project)),
  get: projectProcedure('verdicts.read')
    .input(RuleIn)
    .query(({ ctx, input }) => getRule(ctx.project, input.name)),
  put: projectProcedure('settings.write')
    .input(PutRuleIn)
    .mutation(({ ctx, input }) => putRule(ctx.project, ctx.runtime.rules, input.name, input.rule)),
  setEnabled: projectProcedure('settings.write')
    .input(SetRuleEnabledIn)
    .mutation(({ ctx, input }) =>
      setRuleEnabled(ctx.project, ctx.runtime.rules, input.name, input.enabled),
    ),
  delete: projectProcedure('settings.write')
    .input(RuleIn)
    .mutation(({ ctx, input }) => deleteRule(ctx.project, ctx.runtime.rules, input.name)),
  preview: projectProcedure('settings.write')
    .input(PutRuleIn)
    .mutation(async ({ ctx, input }) =>
      previewRule(
        ctx.project,
        ctx.runtime.subjects,
        await draftRule(ctx.project, input.name, input.rule),
        { limit: previewLimit },
      ),
    ),
  backfill: projectProcedure('settings.write')
    .input(BackfillIn)
    .mutation(({ ctx, input: { project: _project, ...range } }) =>
      backfillRule(ctx.project, range),
    ),
});

export const decisionsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ListDecisionsIn)
    .query(({ ctx, input: { project: _project, ...filters } }) =>
      listDecisions(ctx.project, filters),
    ),
});

export const jobsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ListJobsIn)
    .query(({ ctx, input }) => listJobs(ctx.project, { kind: input.kind, limit: input.limit })),
  get: projectProcedure('verdicts.read')
    .input(IdIn)
    .query(({ ctx, input }) => getJob(ctx.project, input.id)),
  cancel: projectProcedure('settings.write')
    .input(IdIn)
    .mutation(({ ctx, input }) => cancelJob(ctx.project, input.id)),
});
