import type { Ctx } from '../../platform';

/** A breaker of this replica as it is written. */
export interface BreakerRow {
  readonly project_id: string;
  readonly model: string;
  readonly state: 'closed' | 'open' | 'probing';
  readonly failures: number;
  readonly open_for_ms: number | null;
  readonly problem: string | null;
}

export interface FoundBreakers {
  /** Where people asked for a reset since `cursor`, or some seconds before; when, as text. */
  readonly reset: readonly {
    readonly projectId: string;
    readonly spec: string;
    readonly resetAt: string;
  }[];
  /**
   * At the first exchange: how this replica's own stood before it was started again, where that
   * still matters.
   */
  readonly kept: readonly {
    readonly projectId: string;
    readonly spec: string;
    readonly failures: number;
    readonly openForMs: number;
    readonly problem: string | null;
  }[];
  /** For the next exchange. */
  readonly cursor: string;
}

/**
 * Reads the resets since the last exchange, and writes this replica's rows. Times are the
 * database's. A reset is read again for some seconds, since its transaction may have ended later
 * than others that began after it: whoever reads knows which it has taken.
 * @throws on faults of storage
 */
export async function exchangeBreakers(
  ctx: Pick<Ctx, 'sql'>,
  {
    replica,
    cursor,
    changed,
  }: {
    readonly replica: string;
    readonly cursor: string | null;
    readonly changed: readonly BreakerRow[];
  },
): Promise<FoundBreakers> {
  const { sql } = ctx;
  const [clock] = await sql<{ now: string }[]>`select now()::text as now`;
  const reset = await sql<{ project_id: string; model: string; reset_at: string }[]>`
    select project_id, model, max(reset_at)::text as reset_at from gateway_breakers
    where reset_at > coalesce(${cursor}::timestamptz, now()) - interval '3 seconds' group by project_id, model`;
  const kept =
    cursor !== null
      ? []
      : await sql<
          {
            project_id: string;
            model: string;
            failures: number;
            open_for_ms: number;
            problem: string | null;
          }[]
        >`
          select project_id, model, failures, (extract(epoch from open_until - now()) * 1000)::float8 as open_for_ms, problem
          from gateway_breakers
          where replica = ${replica} and open_until is not null and coalesce(reset_at < changed_at, true)`;
  if (changed.length > 0) {
    await sql`
      insert into gateway_breakers (project_id, model, replica, state, failures, open_until, problem, changed_at)
      select project_id, model, ${replica}, state, failures, now() + open_for_ms * interval '1 millisecond', problem, now()
      from jsonb_to_recordset(${JSON.stringify(changed)}::text::jsonb)
        as r(project_id text, model text, state text, failures int, open_for_ms float8, problem text)
      on conflict (project_id, model, replica) do update set state = excluded.state, failures = excluded.failures,
        open_until = excluded.open_until, problem = excluded.problem, changed_at = excluded.changed_at`;
  }
  return {
    reset: reset.map(({ project_id, model, reset_at }) => ({
      projectId: project_id,
      spec: model,
      resetAt: reset_at,
    })),
    kept: kept.map((row) => ({
      projectId: row.project_id,
      spec: row.model,
      failures: row.failures,
      openForMs: row.open_for_ms,
      problem: row.problem,
    })),
    cursor: clock?.now ?? cursor ?? '-infinity',
  };
}
