import type { ProjectCtx } from '../access';
import { cursorAt, readCursor } from '../platform';

/** `waiting` and `being_made` become `made`, or end as `failed` or `cancelled`. */
export type ReportState = 'waiting' | 'being_made' | 'made' | 'failed' | 'cancelled';

export interface ReportHead {
  readonly id: string;
  /** Null if a person requested it. */
  readonly scheduleId: string | null;
  readonly title: string;
  /** Whole UTC days, `to` exclusive. */
  readonly from: Date;
  readonly to: Date;
  readonly state: ReportState;
  /** Numbers of completed parts and of all parts; `total` is null while unknown. */
  readonly done: number;
  readonly total: number | null;
  /** Why the report failed, or why it is delayed. */
  readonly reason: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly madeAt: Date | null;
}

export interface ReportPage {
  readonly items: readonly ReportHead[];
  readonly nextCursor: string | null;
}

export interface ReportRow {
  id: string;
  schedule_id: string | null;
  title: string;
  from: string;
  to: string;
  created_by: string;
  created_at: string;
  made_at: string | null;
  state: string | null;
  done: string | null;
  total: string | null;
  reason: string | null;
}

/** Without their content, newest first. */
export async function listReports(
  ctx: ProjectCtx,
  input: { readonly cursor?: string | undefined; readonly limit?: number | undefined } = {},
): Promise<ReportPage> {
  const { sql, projectId } = ctx;
  const limit = input.limit ?? 50;
  const after = input.cursor === undefined ? null : readCursor(input.cursor);
  const rows = await sql<(ReportRow & { at: string })[]>`
    select ${reportColumns(ctx)}, to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from reports r left join jobs j on j.project_id = ${projectId} and j.id = r.id
    where r.project_id = ${projectId} ${after === null ? sql`` : sql`and (r.created_at, r.id) < (${after.at}::timestamptz, ${after.id})`}
    order by r.created_at desc, r.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asHead),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}

/** Columns of `reports r` and its job `j`. */
export const reportColumns = ({ sql }: Pick<ProjectCtx, 'sql'>) => sql`
  r.id, r.schedule_id, r.title, r."from", r."to", r.created_by, r.created_at, r.made_at, j.state, j.done, j.total, j.reason`;

export function asHead(row: ReportRow): ReportHead {
  const state = stateOf(row);
  return {
    id: row.id,
    scheduleId: row.schedule_id,
    title: row.title,
    from: new Date(row.from),
    to: new Date(row.to),
    state,
    done: Number(row.done ?? 0),
    total: row.total === null ? null : Number(row.total),
    reason: state === 'made' ? null : row.reason,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    madeAt: row.made_at === null ? null : new Date(row.made_at),
  };
}

/** A stored report is in the state `made`, regardless of the state of its job. */
function stateOf({ made_at: madeAt, state }: ReportRow): ReportState {
  if (madeAt !== null) return 'made';
  if (state === 'waiting' || state === 'cancelled') return state;
  return state === 'running' ? 'being_made' : 'failed';
}
