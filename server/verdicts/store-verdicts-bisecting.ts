import { IntegrityDetail } from '../domain';
import { type Ctx, joinStatements, storeBisecting } from '../platform';
import { failWork, recordRefused } from '../queue';
import { type Settlement, storeVerdicts } from './settle';

/**
 * Stores all settlements in one statement. If PostgreSQL refuses the data of a settlement, only its
 * work fails. Returns the ids of the work whose verdict was stored.
 */
export async function storeVerdictsBisecting(
  ctx: Ctx,
  owner: string,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<string>> {
  const all = new Set<string>();
  await storeBisecting(
    settlements,
    async (part) => {
      const { stored, ended } = await storeVerdicts(ctx, owner, part);
      await noteRefused(
        ctx,
        owner,
        part.filter(({ work }) => !ended.has(work.id)),
      );
      for (const settlement of part) if (stored.has(settlement.work.id)) logFields(ctx, settlement);
      for (const id of stored) all.add(id);
    },
    ({ work }, error) =>
      failWork(ctx, owner, work, `its verdict cannot be stored: ${messageOf(error)}`),
  );
  return all;
}

/** Short compared with a model's answer; under load, several verdicts share a statement. */
const restMs = 50;

/**
 * Stores single verdicts; simultaneous ones share a statement. The function returns whether its
 * verdict was stored.
 */
export function createJoinedStore(
  ctx: Ctx,
  owner: string,
): (settlement: Settlement) => Promise<boolean> {
  const store = joinStatements(
    async (own: Ctx, settlements: readonly Settlement[]) => {
      const stored = await storeVerdictsBisecting(own, owner, settlements);
      return settlements.map(({ work }) => stored.has(work.id));
    },
    { restMs },
  );
  return (settlement) => store(ctx, settlement);
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

async function noteRefused(ctx: Ctx, owner: string, refused: readonly Settlement[]): Promise<void> {
  for (const { work } of refused) {
    ctx.log.warn(
      { subject: work.subjectId, fence: work.fence },
      'verdict refused: the lease had ended',
    );
    await recordRefused(ctx, owner, work);
  }
}

/**
 * INT-12: logs the four fields of every answer turn at debug level. A turn has none while integrity
 * is off.
 */
function logFields(ctx: Ctx, settlement: Settlement): void {
  if (!ctx.log.isLevelEnabled('debug')) return;
  const detail = IntegrityDetail.safeParse(settlement.detail);
  if (detail.success && detail.data.fields !== null)
    ctx.log.debug({ turn: settlement.turnId, ...detail.data.fields }, 'integrity');
}
