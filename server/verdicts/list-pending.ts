import type { ProjectCtx } from '../access';
import { cursorAt, readCursor } from '../platform';
import type { PendingVerdict } from './get';
import type { VerdictFilters } from './input';

export interface PendingPage {
  readonly items: readonly PendingVerdict[];
  readonly nextCursor: string | null;
}

interface PendingRow {
  id: string;
  verifier: string;
  subject_kind: string;
  subject_id: string;
  state: string;
  reason: string | null;
  created_at: string;
  at: string;
}

/**
 * Verdicts that are still owed, newest first, quarantined ones too; `from` and `to` are about when they came to be owed. `outcome`
 * and `text` say nothing of them and are not looked at. @throws AssayError invalid_request on a foreign cursor
 */
export async function listPending(ctx: ProjectCtx, f: VerdictFilters): Promise<PendingPage> {
  const { sql } = ctx;
  const limit = f.limit ?? 50;
  const after = f.cursor === undefined ? null : readCursor(f.cursor);
  const slug = (f.verifier ?? f.kind)?.split('@')[0];
  const rows = await sql<PendingRow[]>`
    select w.id, w.verifier, w.subject_kind, w.subject_id, w.state, w.reason, w.created_at,
      to_char(w.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from work w
    left join turns t on w.subject_kind = 'turn' and t.project_id = w.project_id and t.id = w.subject_id
    left join subjects s on s.project_id = w.project_id and s.kind = w.subject_kind and s.id = w.subject_id
    where w.project_id = ${ctx.projectId} and w.subject_kind <> 'trace'
      ${slug === undefined ? sql`` : sql`and w.verifier = ${slug}`}
      ${f.model === undefined ? sql`` : sql`and coalesce(t.model, s.model) = ${f.model}`}
      ${f.session === undefined ? sql`` : sql`and coalesce(t.session_id, s.session_id) = ${f.session}`}
      ${f.turn === undefined ? sql`` : sql`and t.id = ${f.turn}`}
      ${f.subject === undefined ? sql`` : sql`and w.subject_id = ${f.subject}`}
      ${f.trace === undefined ? sql`` : sql`and coalesce(t.trace_id, s.trace_id) = ${f.trace}`}
      ${f.from === undefined ? sql`` : sql`and w.created_at >= ${f.from.toISOString()}::timestamptz`}
      ${f.to === undefined ? sql`` : sql`and w.created_at < ${f.to.toISOString()}::timestamptz`}
      ${after === null ? sql`` : sql`and (w.created_at, w.id) < (${after.at}::timestamptz, ${after.id})`}
    order by w.created_at desc, w.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => ({
      state: row.state === 'quarantined' ? 'quarantined' : 'pending',
      id: row.id,
      kind: row.verifier,
      verifier: row.verifier,
      subjectId: row.subject_id,
      turnId: row.subject_kind === 'turn' ? row.subject_id : null,
      reason: row.reason,
      createdAt: new Date(row.created_at),
    })),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}
