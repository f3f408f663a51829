import type { Fragment } from 'postgres';
import { storableJson } from '../../domain';
import { type Ctx, isDeleted } from '../../platform';
import type { ClaimedWork } from '../../queue';

/** The cached judgement under this key, or null (VS-43). */
export async function findCachedJudgement(
  ctx: Pick<Ctx, 'sql'>,
  projectId: string,
  key: string,
): Promise<unknown> {
  const [row] = await ctx.sql<
    { value: unknown }[]
  >`select value from judge_cache where project_id = ${projectId} and key = ${key}`;
  return row?.value ?? null;
}

/**
 * Caches a judgement under its key; the first one wins. Nothing is cached for work that was deleted
 * in the meantime (R-80).
 */
export async function cacheJudgement(
  ctx: Pick<Ctx, 'sql'>,
  { projectId, id }: Pick<ClaimedWork, 'projectId' | 'id'>,
  key: string,
  value: unknown,
): Promise<void> {
  await ctx.sql`
    insert into judge_cache (project_id, key, value) select ${projectId}, ${key}, ${storableJson(value)}::text::jsonb
    where not ${isDeleted(ctx, ctx.sql`${projectId}`, ctx.sql`('verdict', ${id})`)} on conflict do nothing`;
}

/** Older entries are not used, because the model behind a name may change. */
const keptDays = 30;

/** Deletes entries that are too old to use. */
export async function pruneCachedJudgements(ctx: Pick<Ctx, 'sql'>): Promise<void> {
  await ctx.sql`delete from judge_cache where created_at < now() - ${keptDays} * interval '1 day'`;
}

/** Deletes the project's entries that meet a condition. */
export async function deleteCachedJudgements(
  { sql }: Pick<Ctx, 'sql'>,
  projectId: string,
  condition: Fragment,
): Promise<void> {
  await sql`delete from judge_cache where project_id = ${projectId} and ${condition}`;
}
