import type { Ctx } from '../../platform';

/** A breaker of this replica as stored. */
export interface BreakerRow {
  readonly project_id: string;
  readonly model: string;
  readonly state: 'closed' | 'open' | 'probing';
  readonly failures: number;
  readonly open_for_ms: number | null;
  readonly problem: string | null;
}

export interface FoundBreakers {
  /** Resets requested by users since `cursor`, with an overlap of some seconds. */
  readonly reset: readonly {
    readonly projectId: string;
    readonly spec: string;
    readonly resetAt: string;
  }[];
  /** On the first exchange: this replica's open breakers from before its restart. */
  readonly openBreakers: readonly {
    readonly projectId: string;
    readonly spec: string;
    readonly failures: number;
    readonly openForMs: number;
    readonly problem: string | null;
  }[];
  /** Pass to the next exchange. */
  readonly cursor: string;
}

/**
 * Reads the resets since the last exchange and writes this replica's rows, using the database's
 * clock. Resets overlap by some seconds, since a transaction may commit after others that began
 * later; the caller remembers the applied ones.
 * @throws on storage errors
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
  const openBreakers =
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
    openBreakers: openBreakers.map((row) => ({
      projectId: row.project_id,
      spec: row.model,
      failures: row.failures,
      openForMs: row.open_for_ms,
      problem: row.problem,
    })),
    cursor: clock?.now ?? cursor ?? '-infinity',
  };
}
