import type { Ctx } from '../platform';

/**
 * Calls `onWork` whenever work was stored, until `unlisten`. postgres.js listens again by itself
 * after a lost connection.
 */
export function listenForWork(
  ctx: Pick<Ctx, 'sql'>,
  onWork: () => void,
): Promise<{ unlisten(): Promise<void> }> {
  return ctx.sql.listen('assay_work', onWork);
}
