import type { Fragment } from 'postgres';
import { storableJson } from '../../domain';
import { type Ctx, isDeleted, joinWrites } from '../../platform';

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

/** A judgement to be cached. */
interface CachedJudgement {
  readonly projectId: string;
  /** The work that it was made for. */
  readonly workId: string;
  readonly key: string;
  readonly value: unknown;
}

/**
 * Caches a judgement under its key; the first one wins. Nothing is cached for work that was deleted
 * in the meantime (R-80). Judgements that end at the same time are stored together.
 */
export const cacheJudgement = joinWrites(
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
