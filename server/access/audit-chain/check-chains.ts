import type { ProjectCtx } from '../actor';
import type { Ctx } from '../../platform';
import { installationChain } from './chain-mac';
import { type ChainCheck, checkAuditChain } from './check-chain';

/** Interval between two checks of a chain. */
const checkIntervalMs = 60 * 60 * 1000;

/** Checks all chains; returns one result per chain. Changes nothing. */
export async function checkAuditChains(
  ctx: Pick<Ctx, 'sql' | 'env'>,
): Promise<readonly ChainCheck[]> {
  const chains = await ctx.sql<{ chain: string }[]>`
    select project_id as chain from audit_chains
    union select coalesce(project_id, ${installationChain}) from audit_events
    where position is not null order by 1`;
  const checks: ChainCheck[] = [];
  for (const { chain } of chains) checks.push(await checkAuditChain(ctx, chain));
  return checks;
}

/**
 * Checks the least recently checked chain, stores the result, and logs a problem. Returns
 * false if no check is due.
 */
export async function checkNextChain(ctx: Ctx): Promise<boolean> {
  const { sql } = ctx;
  if (ctx.env.secret === null) return false;
  const [next] = await sql<{ chain: string }[]>`
    update audit_chains set checked_at = now() where project_id = (
      select project_id from audit_chains
      where checked_at is null or checked_at < now() - ${checkIntervalMs} * interval '1 millisecond'
      order by checked_at nulls first limit 1 for update skip locked)
    returning project_id as chain`;
  if (next === undefined) return false;
  const { chain, problem } = await checkAuditChain(ctx, next.chain);
  await sql`update audit_chains set problem = ${problem} where project_id = ${chain}`;
  if (problem !== null) ctx.log.error({ chain, problem }, 'the check of the audit log failed');
  return true;
}

export interface ChainState {
  /** Null: not checked yet. */
  readonly checkedAt: Date | null;
  readonly problem: string | null;
}

/** The result of the last check of the project's audit log. */
export async function getChainState({ sql, projectId }: ProjectCtx): Promise<ChainState> {
  const [row] = await sql<{ checked_at: string | null; problem: string | null }[]>`
    select checked_at, problem from audit_chains where project_id = ${projectId}`;
  const checkedAt = row?.checked_at ?? null;
  return {
    checkedAt: checkedAt === null ? null : new Date(checkedAt),
    problem: row?.problem ?? null,
  };
}
