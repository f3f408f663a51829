import type { Fragment } from 'postgres';
import { storableJson } from '../../domain';
import { type Ctx, isDeleted, joinStatements } from '../../platform';

/** The cached judgement under a key, or null (VS-43). */
export const findCachedJudgement = joinStatements(
  async ({ sql }: Pick<Ctx, 'sql'>, keys: readonly CacheKey[]) => {
    const wanted = JSON.stringify(keys.map(({ projectId: p, key: k }) => ({ p, k })));
    const rows = await sql<{ project_id: string; key: string; value: unknown }[]>`
      select c.* from jsonb_to_recordset(${wanted}::text::jsonb) as r(p text, k text)
      cross join lateral (
        select project_id, key, value from judge_cache where project_id = r.p and key = r.k limit 1
      ) as c`;
    const found = new Map(rows.map((row) => [`${row.project_id} ${row.key}`, row.value]));
    return keys.map(({ projectId, key }) => found.get(`${projectId} ${key}`) ?? null);
  },
);

interface CacheKey {
  readonly projectId: string;
  readonly key: string;
}

/** A judgement to be cached. */
interface CachedJudgement extends CacheKey {
  /** The work that it was made for. */
  readonly workId: string;
  readonly value: unknown;
}

/**
 * Caches a judgement under its key; the first one wins. Nothing is cached for work that was deleted
 * in the meantime (R-80). Judgements that end at the same time are stored together.
 */
export const cacheJudgement = joinStatements(
  async (ctx: Pick<Ctx, 'sql'>, judgements: readonly CachedJudgement[]) => {
    const { sql } = ctx;
    const rows = judgements.map(({ projectId, workId, key, value }) => ({
      p: projectId,
      w: workId,
      k: key,
      v: value,
    }));
    // Keys in one order: two statements with the same keys wait for each other.
    await sql`
      insert into judge_cache (project_id, key, value) select r.p, r.k, r.v
      from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as r(p text, w text, k text, v jsonb)
      where not ${isDeleted(ctx, sql`r.p`, sql`('verdict', r.w)`)}
      order by r.p, r.k on conflict do nothing`;
    return [];
  },
);

/** Older entries are not used, because the model behind a name may change. */
const cacheDays = 30;

/** Deletes entries that are too old to use. */
export async function pruneCachedJudgements(ctx: Pick<Ctx, 'sql'>): Promise<void> {
  await ctx.sql`delete from judge_cache where created_at < now() - ${cacheDays} * interval '1 day'`;
}

/** Deletes the project's entries that meet a condition. */
export async function deleteCachedJudgements(
  { sql }: Pick<Ctx, 'sql'>,
  projectId: string,
  condition: Fragment,
): Promise<void> {
  await sql`delete from judge_cache where project_id = ${projectId} and ${condition}`;
}
