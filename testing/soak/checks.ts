import type { Sql } from 'postgres';
import { compareRollups } from '../ledger';

/** The decisions of a project at one moment, and the problems found in its data. */
export interface Balance {
  /** All decisions: received = settled + skipped + waiting + quarantined. */
  readonly received: number;
  readonly settled: number;
  readonly skipped: number;
  readonly waiting: number;
  readonly quarantined: number;
  readonly problems: readonly string[];
}

type Counts = Pick<Balance, 'received' | 'settled' | 'skipped' | 'waiting' | 'quarantined'>;

async function countDecisions(sql: Sql, projectId: string): Promise<Counts> {
  const [row] = await sql<Counts[]>`
    with decided as (
      select d.state, w.state as work,
        exists (select 1 from verdicts v where v.project_id = d.project_id and v.id = d.verdict_id)
          as settled
      from decisions d left join work w on w.project_id = d.project_id and w.id = d.verdict_id
      where d.project_id = ${projectId}
    )
    select count(*)::int as received,
      (count(*) filter (where state = 'run' and settled and work is null))::int as settled,
      (count(*) filter (where state not in ('run', 'failed') and work is null))::int as skipped,
      (count(*) filter (where work in ('waiting', 'held')))::int as waiting,
      (count(*) filter (where work = 'quarantined'))::int as quarantined
    from decided`;
  return row ?? { received: 0, settled: 0, skipped: 0, waiting: 0, quarantined: 0 };
}

/** Each query returns the rows that have the named problem. */
function problemQueries(sql: Sql, projectId: string): Record<string, Promise<{ row: string }[]>> {
  return {
    'turns without a decision': sql`
      select t.id as row from turns t where t.project_id = ${projectId} and t.origin <> 'experiment'
        and not exists (select 1 from decisions d where d.project_id = t.project_id
          and d.subject_id = t.id and d.revision = t.revision and d.rule = 'integrity')`,
    'subjects with two current verdicts of a verifier': sql`
      select subject_id || ' ' || verifier_slug as row from verdicts
      where project_id = ${projectId} and not superseded
      group by subject_id, revision, verifier_slug, verifier_version having count(*) > 1`,
    'work that remains after its verdict': sql`
      select w.id as row from work w join verdicts v on v.project_id = w.project_id and v.id = w.id
      where w.project_id = ${projectId}`,
    'decision_rollups differs from decisions': sql`
      select coalesce(r.rule, c.rule) || ' ' || coalesce(r.state, c.state) || ': ' ||
        coalesce(r.n, 0) || ' rows, ' || coalesce(c.n, 0) || ' counted' as row
      from (select rule, state, count(*) as n from decisions where project_id = ${projectId}
        group by 1, 2) r
      full join (select rule, state, sum(count) as n from decision_rollups
        where project_id = ${projectId} group by 1, 2) c on c.rule = r.rule and c.state = r.state
      where coalesce(r.n, 0) <> coalesce(c.n, 0)`,
    'intake_rollups differs from turns or trace_segments': sql`
      select stored::text || ' stored, ' || counted::text || ' counted' as row from (
        select
          (select count(*) from turns where project_id = ${projectId} and origin <> 'experiment')
            as stored,
          (select sum(turns) from intake_rollups where project_id = ${projectId}) as counted
        union all
        select (select sum(spans) from trace_segments where project_id = ${projectId}),
          (select sum(spans) from intake_rollups where project_id = ${projectId})
      ) as each where stored is distinct from counted`,
    'traces differs from trace_segments': sql`
      select s.trace_id as row from (
          select trace_id, sum(spans) as spans from trace_segments
          where project_id = ${projectId} group by 1) s
        left join traces t on t.project_id = ${projectId} and t.id = s.trace_id
      where t.spans is distinct from s.spans and not exists (
        select 1 from work w where w.project_id = ${projectId} and w.verifier = 'assemble'
          and w.subject_id = s.trace_id)`,
    'gateway_rollups differs from gateway_calls': sql`
      select stored || ' stored, ' || counted || ' counted' as row from (
        select (select count(*) from gateway_calls where project_id = ${projectId}) as stored,
          (select coalesce(sum(calls - dropped), 0) from gateway_rollups
            where project_id = ${projectId}) as counted
      ) as each where stored <> counted`,
    'gateway calls without their turn': sql`
      select c.id as row from gateway_calls c where c.project_id = ${projectId}
        and c.turn_id is not null and not exists (
          select 1 from turns t where t.project_id = c.project_id and t.id = c.turn_id)`,
  };
}

/** Number of rows that a problem lists. */
const maxExamples = 3;

/** `1 lost turn`, `3 lost turns`. */
export const countText = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The first few items of a list, as text. */
export const examplesOf = (items: readonly string[]): string =>
  items.slice(0, maxExamples).join('; ');

export async function readBalance(sql: Sql, projectId: string): Promise<Balance> {
  const counts = await countDecisions(sql, projectId);
  const problems: string[] = [];
  const { received, settled, skipped, waiting, quarantined } = counts;
  if (received !== settled + skipped + waiting + quarantined)
    problems.push(`decisions do not add up: ${JSON.stringify(counts)}`);
  for (const [name, query] of Object.entries(problemQueries(sql, projectId))) {
    const rows = await query;
    if (rows.length > 0)
      problems.push(
        `${name} (${countText(rows.length, 'row')}): ${examplesOf(rows.map(({ row }) => row))}`,
      );
  }
  for (const difference of (await compareRollups(sql, projectId)).slice(0, maxExamples))
    problems.push(`rollups differ from their rows: ${difference}`);
  return { ...counts, problems };
}

/** Returns the ids that a project's table does not have. */
export async function findMissing(
  sql: Sql,
  projectId: string,
  table: 'turns' | 'experiments',
  ids: ReadonlySet<string>,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select k.id from jsonb_array_elements_text(${JSON.stringify([...ids])}::text::jsonb) as k(id)
    where not exists (
      select 1 from ${sql(table)} t where t.project_id = ${projectId} and t.id = k.id)`;
  return rows.map(({ id }) => id);
}

/** Returns the ids of verifications that have no verdict and are not quarantined. */
export async function findUnsettled(
  sql: Sql,
  projectId: string,
  ids: ReadonlySet<string>,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select k.id from jsonb_array_elements_text(${JSON.stringify([...ids])}::text::jsonb) as k(id)
    where not exists (
        select 1 from verdicts v where v.project_id = ${projectId} and v.id = k.id)
      and not exists (select 1 from work w
        where w.project_id = ${projectId} and w.id = k.id and w.state = 'quarantined')`;
  return rows.map(({ id }) => id);
}

/** Counts stored turns of the API and of traces that no client sent. */
export async function countUnsent(
  sql: Sql,
  projectId: string,
  sent: ReadonlySet<string>,
): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from turns t
    where t.project_id = ${projectId} and t.origin in ('api', 'otlp') and not exists (
      select 1 from jsonb_array_elements_text(${JSON.stringify([...sent])}::text::jsonb) as k(id)
      where k.id = t.id)`;
  return row?.n ?? 0;
}
