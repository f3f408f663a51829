import type { ProjectCtx } from '../access';
import { isModel } from '../ingest';
import { cursorAt, readCursor } from '../platform';
import { assembleVerifier } from '../queue';
import type { VerdictFilters } from './input';
import { ofExperiment } from './list';
import {
  asPending,
  pendingColumns,
  type PendingRow,
  pendingTables,
  type PendingVerdict,
} from './pending';

export interface PendingPage {
  readonly items: readonly PendingVerdict[];
  readonly nextCursor: string | null;
}

/**
 * Pending verdicts, newest first, including quarantined ones; `from` and `to` filter by the time at
 * which they were enqueued. `outcome` and `text` do not apply and are ignored; no prompt has scored
 * any yet. @throws AssayError invalid_request if the cursor is invalid
 */
export async function listPending(ctx: ProjectCtx, filters: VerdictFilters): Promise<PendingPage> {
  const { sql } = ctx;
  const limit = filters.limit ?? 50;
  const after = filters.cursor === undefined ? null : readCursor(filters.cursor);
  const slug = (filters.verifier ?? filters.kind)?.split('@')[0];
  const rows = await sql<(PendingRow & { at: string })[]>`
    select ${pendingColumns(sql)},
      to_char(w.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from ${pendingTables(sql)}
    where w.project_id = ${ctx.projectId} and w.verifier <> ${assembleVerifier}
      ${ofExperiment(ctx, filters, { experimentId: sql`w.experiment_id`, turnId: sql`w.subject_id` })}
      ${slug === undefined ? sql`` : sql`and w.verifier = ${slug}`}
      ${filters.model === undefined ? sql`` : sql`and ${isModel(ctx, sql`coalesce(t.model, s.model)`, filters.model)}`}
      ${filters.session === undefined ? sql`` : sql`and coalesce(t.session_id, s.session_id) = ${filters.session}`}
      ${filters.turn === undefined ? sql`` : sql`and t.id = ${filters.turn}`}
      ${filters.subject === undefined ? sql`` : sql`and w.subject_id = ${filters.subject}`}
      ${filters.mission === undefined ? sql`` : sql`and s.mission_id = ${filters.mission}`}
      ${filters.task === undefined ? sql`` : sql`and s.task_id = ${filters.task}`}
      ${filters.trace === undefined ? sql`` : sql`and coalesce(t.trace_id, s.trace_id) = ${filters.trace}`}
      ${filters.tag === undefined ? sql`` : sql`and coalesce(t.trace_id, s.trace_id) in (select id from traces where project_id = ${ctx.projectId} and tags @> array[${filters.tag}]::text[])`}
      ${filters.prompt === undefined ? sql`` : sql`and false`}
      ${filters.from === undefined ? sql`` : sql`and w.created_at >= ${filters.from.toISOString()}::timestamptz`}
      ${filters.to === undefined ? sql`` : sql`and w.created_at < ${filters.to.toISOString()}::timestamptz`}
      ${after === null ? sql`` : sql`and (w.created_at, w.id) < (${after.at}::timestamptz, ${after.id})`}
    order by w.created_at desc, w.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asPending),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}
