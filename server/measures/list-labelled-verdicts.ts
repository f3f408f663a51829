import type { ProjectCtx } from '../access';
import { cursorAt, readCursor } from '../platform';
import { cellOf } from './cells';
import type { Cell, Origin } from './measure-input';
import { findLimitedAccounts } from './outweighing';
import { type ReportScope, reportRows } from './report-rows';

/** One row that a number counts: the verdict and the truth. */
export interface LabelledVerdict {
  readonly id: string;
  readonly at: Date;
  /** Null for imported judges. */
  readonly version: number | null;
  readonly verdictId: string | null;
  readonly turnId: string | null;
  readonly subjectId: string;
  /** The beginning of the answer; for an imported judge, the unreadable text. */
  readonly excerpt: string;
  /** Null if neither passed nor failed. */
  readonly machine: 'failed' | 'passed' | null;
  /** The verifier's own word. */
  readonly word: string;
  readonly good: boolean | null;
  /** The kind of label that determines the truth. */
  readonly truthOf: 'override' | 'outcome' | 'import' | null;
  readonly rater: string | null;
  readonly overruled: boolean | null;
  readonly unread: boolean;
}

export interface LabelledVerdictPage {
  readonly items: readonly LabelledVerdict[];
  readonly nextCursor: string | null;
}

interface Row {
  origin: Origin;
  id: string;
  at: string;
  placed_at: string;
  version: number;
  verdict_id: string | null;
  turn_id: string | null;
  subject_id: string;
  excerpt: string;
  machine: 'failed' | 'passed' | null;
  word: string;
  good: boolean | null;
  truth_of: 'override' | 'outcome' | 'import' | null;
  rater: string | null;
  overruled: boolean | null;
  unread: boolean;
}

export interface ListLabelledVerdicts extends ReportScope {
  readonly cell: Cell;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * The rows that one number of a verifier counts, newest first, with keyset pagination.
 * @throws AssayError invalid_request on a foreign cursor
 */
export async function listLabelledVerdicts(
  ctx: ProjectCtx,
  input: ListLabelledVerdicts,
): Promise<LabelledVerdictPage> {
  const { sql } = ctx;
  const limit = input.limit ?? 50;
  const after = input.cursor === undefined ? null : readCursor(input.cursor);
  const outweighing =
    input.origin === 'verifier' ? await findLimitedAccounts(ctx, input.verifier) : [];
  const rows = await sql<Row[]>`
    select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as placed_at
    from (${reportRows(ctx, { ...input, outweighing })}) as judged
    where ${cellOf(ctx, input.cell)} ${after === null ? sql`` : sql`and (at, id) < (${after.at}::timestamptz, ${after.id})`}
    order by at desc, id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asLabelledVerdict),
    nextCursor:
      rows.length > limit && last !== undefined
        ? cursorAt({ at: last.placed_at, id: last.id })
        : null,
  };
}

function asLabelledVerdict({
  at,
  verdict_id,
  turn_id,
  subject_id,
  truth_of,
  ...row
}: Row): LabelledVerdict {
  return {
    id: row.id,
    at: new Date(at),
    version: row.origin === 'imported' ? null : row.version,
    verdictId: verdict_id,
    turnId: turn_id,
    subjectId: subject_id,
    excerpt: row.excerpt,
    machine: row.machine,
    word: row.word,
    good: row.good,
    truthOf: truth_of,
    rater: row.rater,
    overruled: row.overruled,
    unread: row.unread,
  };
}
