import type { ProjectCtx } from '../../access';

/** The rows of an experiment by state. */
export interface RunRowCounts {
  readonly rows: number;
  readonly waiting: number;
  readonly asked: number;
  readonly answered: number;
  readonly failed: number;
  readonly lost: number;
}

const none: RunRowCounts = { rows: 0, waiting: 0, asked: 0, answered: 0, failed: 0, lost: 0 };

/** The counts of each of the experiments, by id. */
export async function readRowCounts(
  { sql, projectId }: ProjectCtx,
  ids: readonly string[],
): Promise<(id: string) => RunRowCounts> {
  if (ids.length === 0) return () => none;
  const rows = await sql<(RunRowCounts & { id: string })[]>`
    select experiment_id as id, count(*)::int as rows,
      count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'asked')::int as asked,
      count(*) filter (where state = 'answered')::int as answered,
      count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'lost')::int as lost
    from experiment_rows where project_id = ${projectId} and experiment_id in ${sql([...ids])}
    group by 1`;
  const found = new Map(rows.map(({ id, ...counts }) => [id, counts]));
  return (id) => found.get(id) ?? none;
}

export interface RunSpending {
  /** US dollars; a lower bound if `unknown` is above 0. */
  readonly target: number;
  readonly judges: number;
  readonly total: number;
  /** Answers and verdicts of which at least one price is unknown. */
  readonly unknown: number;
}

export interface RunTotals {
  readonly costUsd: RunSpending;
  readonly latencyMs: { readonly p50: number | null; readonly p95: number | null };
  /** Rows that ended in a second, from the last ones; null if unknown. */
  readonly ratePerS: number | null;
}

/** Rows from which the speed is measured. */
const recentRows = 200;

export async function readTotals(ctx: ProjectCtx, id: string): Promise<RunTotals> {
  const { sql, projectId } = ctx;
  const own = sql`project_id = ${projectId} and experiment_id = ${id}`;
  const [row] = await sql<
    {
      target: number;
      target_unknown: number;
      judges: number;
      judges_unknown: number;
      p50: number | null;
      p95: number | null;
      rate: number | null;
    }[]
  >`
    select r.*, j.*, s.rate from (
      select coalesce(sum(cost_usd), 0) as target,
        count(*) filter (where state = 'answered' and cost_usd is null)::int as target_unknown,
        percentile_cont(0.5) within group (order by latency_ms) filter (where state = 'answered') as p50,
        percentile_cont(0.95) within group (order by latency_ms) filter (where state = 'answered') as p95
      from experiment_rows where ${own}
    ) as r cross join (
      select coalesce(sum(cost_usd), 0) as judges,
        count(*) filter (where price_unknown)::int as judges_unknown
      from verdicts where project_id = ${projectId} and experiment_id = ${id}
    ) as j cross join (
      select (count(*) - 1) / nullif(extract(epoch from max(ended_at) - min(ended_at)), 0)::float8 as rate
      from (
        select ended_at from experiment_rows where ${own} and ended_at is not null
        order by ended_at desc limit ${recentRows}
      ) as recent
    ) as s`;
  const target = row?.target ?? 0;
  const judges = row?.judges ?? 0;
  return {
    costUsd: {
      target,
      judges,
      total: target + judges,
      unknown: (row?.target_unknown ?? 0) + (row?.judges_unknown ?? 0),
    },
    latencyMs: { p50: row?.p50 ?? null, p95: row?.p95 ?? null },
    ratePerS: row?.rate ?? null,
  };
}
