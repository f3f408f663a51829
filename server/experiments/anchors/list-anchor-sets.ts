import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { notFound } from '../../platform';
import { nextPeriod } from '../../queue';
import type { AnchorRun, AnchorSet } from './anchor';
import { clusterOfItem, weightsOfClusters } from '../../measures';
import { ratesOfRun } from './sum-run';

/** Limits of listed sets (active before retired, newest first) and of the latest runs of each. */
const setsMax = 50;
const runsMax = 20;

interface SetRow {
  id: string;
  verifier_slug: string;
  name: string;
  fingerprint: string;
  items: number;
  good: number;
  cron: string | null;
  zone: string;
  retired_at: string | null;
  created_by: string;
  created_at: string;
}

interface RunRow {
  id: string;
  set_id: string;
  verifier_version: number;
  prompts: string | null;
  judge: string | null;
  started_at: string;
  ended_at: string | null;
  finished_at: string | null;
  state: string | null;
  reason: string | null;
  caught: number;
  missed: number;
  rejected: number;
  passed: number;
  left_out: number;
  done: number;
  cost_usd: number;
  /** Counts of caught, missed, rejected and passed per session. */
  by_cluster: readonly (readonly [number, number, number, number])[];
}

/** Anchor sets of one verifier with their latest runs. */
export async function listAnchorSets(
  ctx: ProjectCtx,
  input: { readonly verifier: string },
): Promise<AnchorSet[]> {
  return readSets(ctx, ctx.sql`s.verifier_slug = ${readVerifierName(input.verifier).slug}`);
}

/** @throws AssayError not_found */
export async function getAnchorSet(ctx: ProjectCtx, id: string): Promise<AnchorSet> {
  const [set] = await readSets(ctx, ctx.sql`s.id = ${id}`);
  if (set === undefined) throw notFound('anchor set');
  return set;
}

/** @throws AssayError not_found */
export async function getAnchorRun(
  ctx: ProjectCtx,
  ids: { readonly set: string; readonly run: string },
): Promise<AnchorRun> {
  const { runs } = await getAnchorSet(ctx, ids.set);
  const run = runs.find(({ id }) => id === ids.run);
  if (run === undefined) throw notFound('run of an anchor set');
  return run;
}

async function readSets(
  ctx: ProjectCtx,
  which: ReturnType<ProjectCtx['sql']>,
): Promise<AnchorSet[]> {
  const { sql, projectId } = ctx;
  const sets = await sql<SetRow[]>`
    select s.id, s.verifier_slug, s.name, s.fingerprint, s.items, s.cron, s.zone, s.retired_at, s.created_by, s.created_at,
      (select count(*)::int from anchor_items i where i.project_id = s.project_id and i.set_id = s.id and i.good) as good
    from anchor_sets s where s.project_id = ${projectId} and ${which}
    order by (s.retired_at is not null), s.created_at desc, s.id desc limit ${setsMax}`;
  const runs = await readRuns(
    ctx,
    sets.map(({ id }) => id),
  );
  return sets.map((set) => asSet(ctx, set, runs));
}

async function readRuns(
  { sql, projectId }: ProjectCtx,
  sets: readonly string[],
): Promise<RunRow[]> {
  const names = JSON.stringify(sets);
  return sql<RunRow[]>`
    with clusters as materialized (
      select i.set_id, i.ordinal, i.good, ${clusterOfItem(sql)} as cluster from anchor_items i
      where i.project_id = ${projectId}
        and i.set_id in (select jsonb_array_elements_text(${names}::text::jsonb))
    )
    select r.id, r.set_id, r.verifier_version, r.prompts, r.judge, r.started_at, r.ended_at, j.finished_at, j.state, j.reason, c.*
    from jsonb_array_elements_text(${names}::text::jsonb) as k(id)
    cross join lateral (
      select * from anchor_runs where project_id = ${projectId} and set_id = k.id order by started_at desc, id desc limit ${runsMax}
    ) as r
    left join jobs j on j.project_id = ${projectId} and j.id = r.id
    cross join lateral (
      select coalesce(sum(caught), 0)::int as caught, coalesce(sum(missed), 0)::int as missed,
        coalesce(sum(rejected), 0)::int as rejected, coalesce(sum(passed), 0)::int as passed,
        coalesce(sum(left_out), 0)::int as left_out, coalesce(sum(done), 0)::int as done,
        coalesce(sum(cost_usd), 0)::double precision as cost_usd,
        coalesce(jsonb_agg(jsonb_build_array(caught, missed, rejected, passed)), '[]') as by_cluster
      from (
        select count(*) filter (where not i.good and x.outcome = 'failed') as caught,
          count(*) filter (where not i.good and x.outcome = 'passed') as missed,
          count(*) filter (where i.good and x.outcome = 'failed') as rejected,
          count(*) filter (where i.good and x.outcome = 'passed') as passed,
          count(*) filter (where x.outcome = 'left_out') as left_out, count(*) as done,
          sum(x.cost_usd) as cost_usd
        from anchor_results x
        join clusters i on i.set_id = r.set_id and i.ordinal = x.ordinal
        where x.project_id = ${projectId} and x.run_id = r.id
        group by i.cluster
      ) as counted
    ) as c
    order by r.started_at desc, r.id desc`;
}

function asSet(ctx: ProjectCtx, row: SetRow, runs: readonly RunRow[]): AnchorSet {
  const { id, verifier_slug: verifier, name, fingerprint, items, good, cron, zone } = row;
  const retired = row.retired_at !== null;
  return {
    id,
    verifier,
    name,
    fingerprint,
    items,
    good,
    cron,
    zone,
    nextAt: cron === null || retired ? null : nextPeriod({ cron, zone }, ctx.clock.now()),
    retired,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    runs: runs.flatMap((run) => (run.set_id === id ? [asRun(row, run)] : [])),
  };
}

function asRun({ verifier_slug: slug, items }: SetRow, row: RunRow): AnchorRun {
  const { id, prompts, judge, caught, missed, rejected, passed, done, left_out: leftOut } = row;
  const ended = row.ended_at ?? row.finished_at;
  const state = stateOf(row);
  return {
    id,
    verifier: `${slug}@${row.verifier_version}`,
    prompts,
    judge,
    state,
    startedAt: new Date(row.started_at),
    endedAt: ended === null ? null : new Date(ended),
    done,
    total: items,
    undecided: done - leftOut - caught - missed - rejected - passed,
    leftOut,
    reason: state === 'failed' || state === 'running' ? row.reason : null,
    ...ratesOfRun(
      { caught, missed, rejected, passed },
      weightsOfClusters(
        row.by_cluster.map(([ofCaught, ofMissed, ofRejected, ofPassed]) => ({
          caught: ofCaught,
          missed: ofMissed,
          rejected: ofRejected,
          passed: ofPassed,
        })),
      ),
    ),
    costUsd: row.cost_usd,
  };
}

/** A run is complete once all its items are judged, regardless of the state of its job. */
function stateOf({ ended_at: endedAt, state }: RunRow): AnchorRun['state'] {
  if (endedAt !== null || state === 'done') return 'done';
  if (state === 'cancelled') return 'cancelled';
  return state === 'waiting' || state === 'running' ? 'running' : 'failed';
}
