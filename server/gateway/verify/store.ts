import type { Fragment, Sql } from 'postgres';
import type { Ctx } from '../../platform';
import type { CounterRow, CounterRows } from './counter';
import type { EndedSession, SessionState, SessionName } from './sessions';
import { countingPrefix } from './route-counting';
import { readStoredRow, type StoredSessionRow, storeRequest } from './stored-row';

/**
 * Counters in PostgreSQL: every replica writes its own rows and reads the others'. All statements
 * are bounded and idempotent.
 */

interface Row extends StoredSessionRow {
  readonly project_id: string;
  readonly session_id: string;
}

export interface StoredSession extends SessionName {
  readonly rows: CounterRows;
  /** The replica's own row exists and is invalid. */
  readonly missing: boolean;
}

/** The rows of all replicas for these sessions. @throws on storage errors */
export async function readSessions(
  ctx: Pick<Ctx, 'sql'>,
  replica: string,
  names: readonly SessionName[],
): Promise<StoredSession[]> {
  const wanted = JSON.stringify(
    names.map(({ projectId, sessionId }) => ({ p: projectId, s: sessionId })),
  );
  const rows = await ctx.sql<Row[]>`
    select c.project_id, c.session_id, c.replica, c.epoch::float8, c.version::float8, c.units::float8, c.recent
    from jsonb_to_recordset(${wanted}::text::jsonb) as w(p text, s text)
    join gateway_counters c on c.project_id = w.p and c.session_id = w.s`;
  return bySession(rows, replica);
}

/**
 * Rows that other replicas changed since `cursor`. Overlaps by some seconds, since a transaction
 * may commit after others that began later.
 */
export async function readChanged(
  ctx: Pick<Ctx, 'sql'>,
  replica: string,
  cursor: string | null,
): Promise<{ readonly sessions: StoredSession[]; readonly cursor: string | null }> {
  const [clock] = await ctx.sql<{ now: string }[]>`select now()::text as now`;
  const rows = await ctx.sql<Row[]>`
    select project_id, session_id, replica, epoch::float8, version::float8, units::float8, recent from gateway_counters
    where changed_at > coalesce(${cursor}::timestamptz, now()) - interval '5 seconds' and replica <> ${replica}`;
  return { sessions: bySession(rows, replica), cursor: clock?.now ?? cursor };
}

function bySession(rows: readonly Row[], replica: string): StoredSession[] {
  const sessions = new Map<
    string,
    { projectId: string; sessionId: string; rows: Map<string, CounterRow>; missing: boolean }
  >();
  for (const row of rows) {
    const key = `${row.project_id} ${row.session_id}`;
    const session = sessions.get(key) ?? {
      projectId: row.project_id,
      sessionId: row.session_id,
      rows: new Map(),
      missing: false,
    };
    sessions.set(key, session);
    const read = readStoredRow(row);
    if (read !== null) session.rows.set(read.replica, read);
    else if (row.replica === replica) session.missing = true;
  }
  return [...sessions.values()];
}

/** One statement for any number of sessions. @throws on storage errors */
export async function writeRows(
  ctx: Pick<Ctx, 'sql'>,
  sessions: readonly SessionState[],
): Promise<void> {
  const rows = sessions.map(({ projectId, sessionId, own }) => ({
    p: projectId,
    s: sessionId,
    r: own.replica,
    e: own.epoch,
    v: own.version,
    u: own.units,
    q: own.recent.map(storeRequest),
  }));
  await ctx.sql`
    insert into gateway_counters (project_id, session_id, replica, epoch, version, units, recent, changed_at)
    select p, s, r, e, v, u, q, now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as w(p text, s text, r text, e bigint, v bigint, u bigint, q jsonb)
    on conflict (project_id, session_id, replica) do update
      set epoch = excluded.epoch, version = excluded.version, units = excluded.units, recent = excluded.recent,
        changed_at = excluded.changed_at
      where excluded.version > gateway_counters.version`;
}

/**
 * Deletes the replica's rows of evicted sessions, which restart at 0 (QV-3). @throws on storage
 * errors
 */
export async function deleteRows(
  ctx: Pick<Ctx, 'sql'>,
  replica: string,
  ended: readonly EndedSession[],
): Promise<void> {
  const rows = JSON.stringify(
    ended.map(({ projectId, sessionId, version }) => ({ p: projectId, s: sessionId, v: version })),
  );
  await ctx.sql`
    delete from gateway_counters c using jsonb_to_recordset(${rows}::text::jsonb) as w(p text, s text, v bigint)
    where c.project_id = w.p and c.session_id = w.s and c.replica = ${replica} and c.version <= w.v`;
}

/** Sessions unused for 30 days restart at 0. */
export async function pruneRows(ctx: Pick<Ctx, 'sql'>): Promise<void> {
  await ctx.sql`delete from gateway_counters where changed_at < now() - interval '30 days'`;
}

/** Deletes all counters of sessions. @param ids a relation with `id` */
export function deleteCounters(sql: Sql, projectId: string, ids: Fragment): Fragment {
  return sql`
    delete from gateway_counters c using (${ids}) as k
    where c.project_id = ${projectId} and c.session_id in (k.id, ${countingPrefix} || k.id)`;
}
