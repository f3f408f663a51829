import {
  freezeAnchors,
  listAnchorSets,
  planAnchors,
  retireAnchors,
  runAnchors,
} from '../../experiments';
import {
  listLabelledVerdicts,
  measureImportedJudges,
  measureVerifier,
  measureVerifiers,
  periodStart,
  reportVerifier,
} from '../../measures';
import { AnchorIn, AnchorsIn, FreezeAnchorsIn, PlanAnchorsIn } from '../../experiments/input';
import {
  ImportedIn,
  ListLabelledVerdictsIn,
  MeasureIn,
  MeasuresIn,
  ReportIn,
} from '../../measures/input';
import { projectProcedure, router } from './builders';

export const calibrationRouter = router({
  list: projectProcedure('verdicts.read')
    .input(MeasuresIn)
    .query(async ({ ctx, input }) => {
      const from = periodStart(ctx.project.clock.now(), input.days);
      return { from: from ?? null, verifiers: await measureVerifiers(ctx.project, { from }) };
    }),
  get: projectProcedure('verdicts.read')
    .input(MeasureIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) =>
      measureVerifier(ctx.project, wanted),
    ),
  rows: projectProcedure('verdicts.read')
    .input(ListLabelledVerdictsIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) =>
      listLabelledVerdicts(ctx.project, wanted),
    ),
  report: projectProcedure('verdicts.read')
    .input(ReportIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) =>
      reportVerifier(ctx.project, wanted),
    ),
  imported: projectProcedure('verdicts.read')
    .input(ImportedIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) =>
      measureImportedJudges(ctx.project, wanted),
    ),
  anchors: projectProcedure('verdicts.read')
    .input(AnchorsIn)
    .query(({ ctx, input: { verifier } }) => listAnchorSets(ctx.project, { verifier })),
  planAnchors: projectProcedure('settings.write')
    .input(PlanAnchorsIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) =>
      planAnchors(ctx.project, ctx.runtime.subjects, wanted),
    ),
  freezeAnchors: projectProcedure('settings.write')
    .input(FreezeAnchorsIn)
    .mutation(({ ctx, input: { project: _project, ...wanted } }) =>
      freezeAnchors(ctx.project, wanted),
    ),
  runAnchors: projectProcedure('settings.write')
    .input(AnchorIn)
    .mutation(({ ctx, input: { id } }) => runAnchors(ctx.project, ctx.runtime.subjects, { id })),
  retireAnchors: projectProcedure('settings.write')
    .input(AnchorIn)
    .mutation(({ ctx, input: { id } }) => retireAnchors(ctx.project, { id })),
});
