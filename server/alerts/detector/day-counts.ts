import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { recountKind } from '../../ingest';
import { judgeCalls } from '../judge-calls';
import { dayMs, type DetectorWindow } from './window';

/** Rows counted per check, unless a single day has more, and rows of one kind counted per day. */
const rowsPerCheck = 100_000;
const rowsPerDay = 100_000;
/** Rarer values are not counted: a tag may name a single request. */
const minPerDay = 5;
/** The most frequent values of a day. */
const valuesMax = 300;

interface MissingDay {
  day: string;
  rows: number;
  basis: string;
}

/**
 * Counts past days that have not been counted, or whose counters have changed, the latest first.
 * A check counts a limited number of rows, and later checks continue.
 */
export async function countDays(
  ctx: ProjectCtx,
  window: DetectorWindow,
  rowsMax = rowsPerCheck,
): Promise<void> {
  let rows = 0;
  for (const missing of await listMissing(ctx, window)) {
    if (rows > 0 && rows + missing.rows > rowsMax) break;
    await countDay(ctx, missing);
    rows += missing.rows;
  }
  if (rows > 0)
    await ctx.sql`delete from finding_days where project_id = ${ctx.projectId} and day < ${window.first}::date`;
}

async function listMissing(
  { sql, projectId }: ProjectCtx,
  { first, today }: DetectorWindow,
): Promise<readonly MissingDay[]> {
  const within = sql`project_id = ${projectId} and day >= ${first}::date and day < ${today}::date`;
  return sql<MissingDay[]>`
    with active as (
      select day, sum(verdicts) as verdicts, sum(turns) as turns from (
        select day, passed + failed as verdicts, 0 as turns from verdict_rollups where ${within}
        union all select day, 0, turns from intake_rollups where ${within}
        union all select day, 0, 0 from finding_days where ${within}
      ) as counters group by day
    ), based as (
      select day, (verdicts + turns)::int as rows, concat_ws('/', verdicts, turns, (
        select max(finished_at) from jobs where project_id = ${projectId} and kind = ${recountKind} and state = 'done'
      )) as basis
      from active
    )
    select b.day::text, b.rows, b.basis from based b
    left join finding_days f on f.project_id = ${projectId} and f.day = b.day
    where f.basis is distinct from b.basis and (b.rows > 0 or f.day is not null) order by b.day desc`;
}

async function countDay(ctx: ProjectCtx, { day, basis }: MissingDay): Promise<void> {
  const { sql, projectId } = ctx;
  const from = new Date(`${day}T00:00:00Z`);
  const to = new Date(from.getTime() + dayMs);
  await sql`
    insert into finding_days (project_id, day, basis, counts)
    select ${projectId}, ${day}::date, ${basis}, jsonb_build_object(
      'rates', (${rates(ctx, from, to)}), 'costs', (${costs(ctx, from, to)}), 'judges', (${judges(ctx, from, to)}))
    on conflict (project_id, day) do update set basis = excluded.basis, counts = excluded.counts`;
}

/** `[verifier, dimension, value, passed, decided]`; the dimension `all` has no value. */
function rates({ sql, projectId }: ProjectCtx, from: Date, to: Date): Fragment {
  const [start, end] = [from.toISOString(), to.toISOString()];
  // A verdict settles after its call, and possibly on the next day.
  const calledFrom = new Date(from.getTime() - dayMs).toISOString();
  return sql`
    with decided as materialized (
      select id, verifier_slug as verifier, outcome, turn_id, trace_id from verdicts
      where project_id = ${projectId} and settled_at >= ${start}::timestamptz and settled_at < ${end}::timestamptz
        and outcome in ('passed', 'failed') and not superseded and experiment_id is null
      order by settled_at, id limit ${rowsPerDay}
    ), parts as (
      select verifier, outcome, 'all' as dimension, '' as value from decided
      union all
      select d.verifier, d.outcome, 'route', c.route from decided d join (
        select distinct turn_id, route from gateway_calls where project_id = ${projectId} and turn_id is not null
          and created_at >= ${calledFrom}::timestamptz and created_at < ${end}::timestamptz
      ) as c on c.turn_id = d.turn_id
      union all
      select d.verifier, d.outcome, 'tag', tag from decided d
      join traces t on t.project_id = ${projectId} and t.id = d.trace_id
      cross join lateral (select distinct unnest(t.tags) as tag) as tags
      union all
      select d.verifier, d.outcome, 'prompt', p.prompt_version from decided d cross join lateral (
        select distinct prompt_version from scores
        where project_id = ${projectId} and verdict_id = d.id and prompt_version is not null
      ) as p
    )
    select coalesce(jsonb_agg(jsonb_build_array(verifier, dimension, value, passed, decided)), '[]') from (
      select verifier, dimension, value, count(*) filter (where outcome = 'passed') as passed, count(*) as decided
      from parts group by 1, 2, 3 having count(*) >= ${minPerDay}
      order by count(*) desc limit ${valuesMax}
    ) as counted`;
}

/** `[model, answers, US dollars]` of answers with a known cost, by model names as sent. */
const costs = ({ sql, projectId }: ProjectCtx, from: Date, to: Date): Fragment => sql`
  select coalesce(jsonb_agg(jsonb_build_array(model, answers, usd)), '[]') from (
    select coalesce(model, '') as model, count(*) as answers, sum(cost_usd) as usd from (
      select model, cost_usd from turns
      where project_id = ${projectId} and received_at >= ${from.toISOString()}::timestamptz
        and received_at < ${to.toISOString()}::timestamptz and origin <> 'experiment' and not superseded
        and cost_usd is not null
      limit ${rowsPerDay}
    ) as priced group by 1 having count(*) >= ${minPerDay}
    order by count(*) desc limit ${valuesMax}
  ) as counted`;

/** `[provider:model, failed, calls]`. */
const judges = (ctx: ProjectCtx, from: Date, to: Date): Fragment => ctx.sql`
  select coalesce(jsonb_agg(jsonb_build_array(judge, failed, calls)), '[]') from (
    select provider || ':' || model as judge, count(*) filter (where state = 'failed') as failed, count(*) as calls
    from (${judgeCalls(ctx, { from, to, limit: rowsPerDay })}) as latest
    group by 1 having count(*) >= ${minPerDay}
    order by count(*) desc limit ${valuesMax}
  ) as counted`;
