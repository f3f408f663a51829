import type { Fragment, Sql } from 'postgres';
import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import type { Drift } from '../report';
import { readPassWeights } from '../../verdicts';
import { compareRuns, type ItemTwice, type Passes } from './compare-runs';

/** Maximum number of compared production days: the week up to each run. */
const daysMax = 7;
const dayMs = 24 * 60 * 60 * 1000;

interface WhichRuns {
  /** Excludes runs that ended later; omitted means no limit. */
  readonly until?: Date | undefined;
  /** Only runs of this set. */
  readonly set?: string | undefined;
}

interface RunRow {
  set_id: string;
  name: string;
  items: number;
  id: string;
  verifier_version: number;
  judge: string | null;
  started_at: string;
}

/**
 * The latest two completed runs of one anchor set of a verifier; of several sets, the set judged
 * most recently. Null if no set was judged twice. Excludes failed, cancelled and running runs, and
 * retired sets. The production part covers the UTC days up to each run: as many days as lie between
 * the runs, at most seven, so that no day counts for both.
 */
export async function readDrift(
  ctx: ProjectCtx,
  verifier: string,
  which: WhichRuns = {},
): Promise<Drift | null> {
  const { slug } = readVerifierName(verifier);
  const [after, before] = await latestRuns(ctx, slug, which);
  if (after === undefined || before === undefined) return null;
  const [items, production] = await Promise.all([
    readItems(ctx, before, after),
    readProduction(ctx, slug, before, after),
  ]);
  const run = ({ id, started_at: at, verifier_version: version, judge }: RunRow) => ({
    run: id,
    at: new Date(at),
    verifier: `${slug}@${version}`,
    judge,
  });
  return {
    set: { id: after.set_id, name: after.name, items: after.items },
    before: run(before),
    after: run(after),
    ...compareRuns(items, production),
  };
}

async function latestRuns(
  { sql, projectId }: ProjectCtx,
  slug: string,
  { until, set }: WhichRuns,
): Promise<RunRow[]> {
  return sql<RunRow[]>`
    with completed as (
      select s.id as set_id, s.name, s.items, r.id, r.verifier_version, r.judge, r.started_at, r.ended_at,
        row_number() over (partition by s.id order by r.started_at desc, r.id desc) as place
      from anchor_sets s join anchor_runs r on r.project_id = s.project_id and r.set_id = s.id
      where s.project_id = ${projectId} and s.verifier_slug = ${slug} and s.retired_at is null and r.ended_at is not null
        ${until === undefined ? sql`` : sql`and r.ended_at < ${until.toISOString()}::timestamptz`}
        ${set === undefined ? sql`` : sql`and s.id = ${set}`}
    ), chosen as (
      select l.set_id from completed l where l.place = 1 and exists (select from completed o where o.set_id = l.set_id and o.place = 2)
      order by l.ended_at desc, l.set_id desc limit 1
    )
    select set_id, name, items, id, verifier_version, judge, started_at from completed
    where place <= 2 and set_id = (select set_id from chosen) order by place`;
}

async function readItems(
  { sql, projectId }: ProjectCtx,
  before: RunRow,
  after: RunRow,
): Promise<readonly ItemTwice[]> {
  return sql<{ cluster: string; good: boolean; before: string | null; after: string | null }[]>`
    select ${clusterOfItem(sql)} as cluster, i.good, b.outcome as before, a.outcome as after from anchor_items i
    left join anchor_results b on b.project_id = ${projectId} and b.run_id = ${before.id} and b.ordinal = i.ordinal
    left join anchor_results a on a.project_id = ${projectId} and a.run_id = ${after.id} and a.ordinal = i.ordinal
    where i.project_id = ${projectId} and i.set_id = ${after.set_id}`;
}

/** The session of an item `i`, or the item itself if its subject has no session or was deleted. */
export function clusterOfItem(sql: Sql): Fragment {
  return sql`coalesce(
    case i.subject_kind
      when 'turn' then (
        select t.session_id from turns t where t.project_id = i.project_id and t.id = i.subject_id and t.revision = i.revision)
      else (select s.session_id from subjects s where s.project_id = i.project_id and s.kind = i.subject_kind and s.id = i.subject_id)
    end, i.subject_id)`;
}

/** Null if both runs were on the same day, since no day then belongs to only one of them. */
async function readProduction(
  ctx: ProjectCtx,
  slug: string,
  before: RunRow,
  after: RunRow,
): Promise<{ readonly before: Passes; readonly after: Passes } | null> {
  const [first, second] = [dayOf(before), dayOf(after)];
  const days = Math.min(daysMax, Math.round((second - first) / dayMs));
  if (days === 0) return null;
  const [one, other] = await Promise.all([
    countPasses(ctx, slug, first, days),
    countPasses(ctx, slug, second, days),
  ]);
  return { before: one, after: other };
}

const dayOf = ({ started_at: at }: RunRow): number =>
  Math.floor(Date.parse(new Date(at).toISOString()) / dayMs) * dayMs;

/** Counts the `days` UTC days that end with `lastDay`. */
async function countPasses(
  ctx: ProjectCtx,
  slug: string,
  lastDay: number,
  days: number,
): Promise<Passes> {
  const { sql, projectId } = ctx;
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const [row] = await sql<{ passed: string; decided: string }[]>`
    select coalesce(sum(passed), 0)::bigint as passed, coalesce(sum(passed + failed), 0)::bigint as decided from verdict_rollups
    where project_id = ${projectId} and verifier_slug = ${slug}
      and day between ${day(lastDay - (days - 1) * dayMs)}::date and ${day(lastDay)}::date`;
  const weights = await readPassWeights(ctx, {
    slugs: [slug],
    by: sql`v.verifier_slug`,
    from: new Date(lastDay - (days - 1) * dayMs),
    to: new Date(lastDay + dayMs),
  });
  return {
    passed: Number(row?.passed ?? 0),
    decided: Number(row?.decided ?? 0),
    weight: weights.get(slug),
  };
}
