import type { Ctx } from '../platform';

/** Calls `onJob` whenever a job is stored, until `unlisten`. */
export function listenForJobs(
  ctx: Pick<Ctx, 'sql'>,
  onJob: () => void,
): Promise<{ unlisten(): Promise<void> }> {
  return ctx.sql.listen('assay_jobs', onJob);
}
