import type { Ctx } from '../../platform';
import { currentMaster } from '../master-key';
import { checkAuditChain } from './check-chain';
import { chainCondition, sealAuditEvents } from './seal-events';

export interface ResealResult {
  readonly resealed: number;
  /** Chains that the current ASSAY_SECRET already seals. */
  readonly current: number;
  /** Chains with a problem, as `audit_events <chain>: <problem>`; they are unchanged. */
  readonly broken: readonly string[];
}

/**
 * Reseals all intact chains with the current ASSAY_SECRET.
 * @throws AssayError unavailable if the process has no ASSAY_SECRET
 */
export async function resealAuditChains(
  ctx: Pick<Ctx, 'sql' | 'env' | 'log' | 'clock'>,
): Promise<ResealResult> {
  const { sql } = ctx;
  const count = { resealed: 0, current: 0, broken: [] as string[] };
  const prefix = `${currentMaster(ctx).id}.`;
  const chains = await sql<{ chain: string }[]>`
    select project_id as chain from audit_chains order by 1`;
  for (const { chain } of chains) {
    const [old] = await sql`
      select 1 from audit_events
      where ${chainCondition(sql, chain)} and mac is not null and not starts_with(mac, ${prefix}) limit 1`;
    if (old === undefined) {
      count.current += 1;
      continue;
    }
    const { problem } = await checkAuditChain(ctx, chain);
    if (problem !== null) {
      count.broken.push(`audit_events ${chain}: ${problem}`);
      continue;
    }
    await sql.begin(async (tx) => {
      await tx`delete from audit_chains where project_id = ${chain}`;
      await tx`
        update audit_events set position = null, detail_hash = null, mac = null
        where ${chainCondition(tx, chain)}`;
    });
    count.resealed += 1;
  }
  while ((await sealAuditEvents(ctx)) > 0);
  return count;
}
