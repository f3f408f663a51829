import {
  type Deletion,
  exportKind,
  type ExportResult,
  getDeletion,
  availableExports,
  liftErasure,
  listDeletions,
  previewRetention,
  putRetention,
  readExportPart,
  readRetention,
  requestDeletion,
  startExport,
} from '../../lifecycle';
import { ExportPartIn, RequestDeletionIn, RetentionIn } from '../../lifecycle/input';
import { IdIn, ProjectRef } from '../../access/input';
import { countMasked } from '../../masking';
import { type Job, listJobs } from '../../queue';
import { loadMasking } from '../../verdicts';
import { projectProcedure, router } from './builders';

/** Retention, deletion, and export of a project's data. */
export const dataRouter = router({
  retention: projectProcedure('settings.write')
    .input(ProjectRef)
    .query(({ ctx }) => readRetention(ctx.project)),
  preview: projectProcedure('settings.write')
    .input(RetentionIn)
    .query(({ ctx, input }) => previewRetention(ctx.project, input.retention)),
  setRetention: projectProcedure('settings.write')
    .input(RetentionIn)
    .mutation(({ ctx, input }) => putRetention(ctx.project, input.retention)),
  masking: projectProcedure('settings.write')
    .input(ProjectRef)
    .query(async ({ ctx }) => ({
      settings: await loadMasking(ctx.project, ctx.project.projectId),
      replaced: await countMasked(ctx.project),
    })),
  deletions: projectProcedure('settings.write')
    .input(ProjectRef)
    .query(async ({ ctx }) => (await listDeletions(ctx.project)).map(asView)),
  deletion: projectProcedure('settings.write')
    .input(IdIn)
    .query(async ({ ctx, input }) => asView(await getDeletion(ctx.project, input.id))),
  delete: projectProcedure('settings.write')
    .input(RequestDeletionIn)
    .mutation(async ({ ctx, input }) => {
      // Users and sessions are stored under their tokens.
      const id =
        input.kind === 'user' || input.kind === 'session'
          ? await ctx.runtime.masks.text(ctx.project.projectId, input.id)
          : input.id;
      return asView(await requestDeletion(ctx.project, ctx.runtime.ctx, { kind: input.kind, id }));
    }),
  lift: projectProcedure('settings.write')
    .input(IdIn)
    .mutation(({ ctx, input }) => liftErasure(ctx.project, input.id)),
  exports: projectProcedure('settings.write')
    .input(ProjectRef)
    .query(async ({ ctx }) => {
      const keptJobIds = await availableExports(ctx.project);
      return (await listJobs(ctx.project, { kind: exportKind, limit: 10 })).map((job) =>
        exportView(job, keptJobIds),
      );
    }),
  startExport: projectProcedure('settings.write')
    .input(ProjectRef)
    .mutation(async ({ ctx }) => exportView(await startExport(ctx.project), new Set())),
  exportPart: projectProcedure('settings.write')
    .input(ExportPartIn)
    .query(async ({ ctx, input }) => ({
      base64: (await readExportPart(ctx.project, input.id, input.ordinal)).toString('base64'),
    })),
});

function asView({ counts, ...deletion }: Deletion) {
  return { ...deletion, rows: Object.values(counts).reduce((sum, rows) => sum + rows, 0), counts };
}

function exportView(job: Job, keptJobIds: ReadonlySet<string>) {
  const result = job.result as ExportResult | null;
  return {
    id: job.id,
    state: job.state,
    reason: job.reason,
    createdAt: job.createdAt,
    createdBy: job.createdBy,
    lines: job.done,
    bytes: result?.bytes ?? 0,
    /** The number of parts of its file; 0 if it does not exist yet, or was deleted. */
    parts: job.state === 'done' && keptJobIds.has(job.id) ? (result?.parts ?? 0) : 0,
  };
}
