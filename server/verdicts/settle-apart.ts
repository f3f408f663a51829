import { IntegrityDetail } from '../domain';
import { classifyStorageError, type Ctx } from '../platform';
import { failWork, recordRefused } from '../queue';
import { type Settlement, settleVerdicts } from './settle';

/**
 * Settles together; when PostgreSQL refuses the data of one, halves around it so that the others
 * are settled.
 */
export async function settleApart(
  ctx: Ctx,
  owner: string,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<string>> {
  if (settlements.length === 0) return new Set();
  try {
    const { stored, ended } = await settleVerdicts(ctx, owner, settlements);
    if (ended.size < settlements.length)
      await noteRefused(
        ctx,
        owner,
        settlements.filter((each) => !ended.has(each.work.id)),
      );
    for (const settlement of settlements)
      if (stored.has(settlement.work.id)) logFields(ctx, settlement);
    return stored;
  } catch (error) {
    if (classifyStorageError(error) !== 'data') throw error;
    const [only] = settlements;
    if (settlements.length === 1 && only !== undefined) {
      await failWork(
        ctx,
        owner,
        only.work,
        `its verdict cannot be stored: ${error instanceof Error ? error.message : String(error)}`,
      );
      return new Set();
    }
    const middle = settlements.length >> 1;
    const first = await settleApart(ctx, owner, settlements.slice(0, middle));
    const second = await settleApart(ctx, owner, settlements.slice(middle));
    return new Set([...first, ...second]);
  }
}

async function noteRefused(ctx: Ctx, owner: string, refused: readonly Settlement[]): Promise<void> {
  for (const { work } of refused) {
    ctx.log.warn(
      { subject: work.subjectId, fence: work.fence },
      'verdict refused: the lease had ended',
    );
    await recordRefused(ctx, owner, work);
  }
}

/** INT-12: the four fields of every answer turn, at debug level; a switched-off turn has none. */
function logFields(ctx: Ctx, settlement: Settlement): void {
  if (!ctx.log.isLevelEnabled('debug')) return;
  const detail = IntegrityDetail.safeParse(settlement.detail);
  if (detail.success && detail.data.fields !== null)
    ctx.log.debug({ turn: settlement.turnId, ...detail.data.fields }, 'integrity');
}
