import type { ProjectCtx } from '../access';
import { cursorAt, readCursor } from '../platform';

/** A label as stored; a later one may have undone it. */
export interface StoredLabel {
  readonly id: string;
  /** `outcome`, `import`, `override`, `abstention`, `grade` or `action`. */
  readonly kind: string;
  readonly subjectId: string;
  readonly verdictId: string | null;
  readonly verifier: string | null;
  readonly verdict: string | null;
  /** Whether the subject was good, according to the label. */
  readonly success: boolean | null;
  /** 0 to 1. */
  readonly score: number | null;
  /** 1 to 5. */
  readonly grade: number | null;
  /** Of a `kind` of `action`: the action; else the rater's own word. */
  readonly value: string | null;
  readonly reason: string | null;
  readonly rater: string;
  readonly source: string | null;
  readonly blind: boolean;
  /** When it was undone; null if it was not. */
  readonly undoneAt: Date | null;
  readonly createdAt: Date;
}

export interface LabelFilters {
  readonly id?: string | undefined;
  readonly subject?: string | undefined;
  readonly verdict?: string | undefined;
  readonly verifier?: string | undefined;
  readonly kind?: string | undefined;
  readonly rater?: string | undefined;
  /** `from` inclusive, `to` exclusive. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface LabelRow {
  id: string;
  kind: string;
  subject_id: string;
  verdict_id: string | null;
  verifier_slug: string | null;
  verdict: string | null;
  success: boolean | null;
  score: number | null;
  grade: number | null;
  value: string | null;
  note: string | null;
  rater: string;
  source: string | null;
  blind: boolean;
  undone_at: string | null;
  created_at: string;
  placed_at: string;
}

/**
 * The labels of a project, newest first; rows that only undo others are omitted.
 * @throws AssayError invalid_request on a foreign cursor
 */
export async function listLabels(
  { sql, projectId }: ProjectCtx,
  filters: LabelFilters,
): Promise<{ readonly items: readonly StoredLabel[]; readonly nextCursor: string | null }> {
  const { id, subject, verdict, verifier, kind, rater, from, to, cursor, limit } = filters;
  const after = cursor === undefined ? null : readCursor(cursor);
  const rows = await sql<LabelRow[]>`
    select l.id, l.kind, l.subject_id, l.verdict_id, l.verifier_slug, l.verdict, l.success, l.score, l.grade, l.value, l.note,
      coalesce(l.rater, l.created_by) as rater, l.source, l.blind, u.created_at as undone_at, l.created_at,
      to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as placed_at
    from labels l
    left join lateral (
      select created_at from labels u where u.project_id = l.project_id and u.undoes = l.id order by created_at limit 1
    ) as u on true
    where l.project_id = ${projectId} and l.kind <> 'undo'
      ${id === undefined ? sql`` : sql`and l.id = ${id}`}
      ${subject === undefined ? sql`` : sql`and l.subject_id = ${subject}`}
      ${verdict === undefined ? sql`` : sql`and l.verdict_id = ${verdict}`}
      ${verifier === undefined ? sql`` : sql`and l.verifier_slug = ${verifier}`}
      ${kind === undefined ? sql`` : sql`and l.kind = ${kind}`}
      ${rater === undefined ? sql`` : sql`and coalesce(l.rater, l.created_by) = ${rater}`}
      ${from === undefined ? sql`` : sql`and l.created_at >= ${from.toISOString()}::timestamptz`}
      ${to === undefined ? sql`` : sql`and l.created_at < ${to.toISOString()}::timestamptz`}
      ${after === null ? sql`` : sql`and (l.created_at, l.id) < (${after.at}::timestamptz, ${after.id})`}
    order by l.created_at desc, l.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asLabel),
    nextCursor:
      rows.length > limit && last !== undefined
        ? cursorAt({ at: last.placed_at, id: last.id })
        : null,
  };
}

const asLabel = (row: LabelRow): StoredLabel => ({
  id: row.id,
  kind: row.kind,
  subjectId: row.subject_id,
  verdictId: row.verdict_id,
  verifier: row.verifier_slug,
  verdict: row.verdict,
  success: row.success,
  score: row.score,
  grade: row.grade,
  value: row.value,
  reason: row.note,
  rater: row.rater,
  source: row.source,
  blind: row.blind,
  undoneAt: row.undone_at === null ? null : new Date(row.undone_at),
  createdAt: new Date(row.created_at),
});
