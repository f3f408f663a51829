import type { Ctx } from '../platform';

/**
 * Calls `onWork` whenever work is stored, until `unlisten`. postgres.js subscribes again after a
 * lost connection.
 */
export function listenForWork(
  ctx: Pick<Ctx, 'sql'>,
  onWork: () => void,
): Promise<{ unlisten(): Promise<void> }> {
  return ctx.sql.listen('assay_work', onWork);
}
