import type { Fragment } from 'postgres';
import { isReadableTurn, type ProjectCtx } from '../../access';
import { isModel } from '../models/identity-sql';
import { cursorAt, notFound, readCursor } from '../../platform';
import type { TurnFilters, TurnsOf } from '../input';
import { loadScores, type SentScore } from './get-trace';
import { loadTurns, type StoredTurn, turnKey } from './get-turn';
import { fitting, listPlaced } from './list-turns-of';
import { loadMarks, type TurnMark } from './marks';

/** A stored turn with its verdicts. */
export interface TurnWithMarks {
  readonly id: string;
  /** How it was sent: `api`, `otlp`, `import` or `gateway`; `experiment`: made by one. */
  readonly origin: string;
  readonly spanId: string | null;
  /** A later turn has taken its place. */
  readonly superseded: boolean;
  /** Null if its stored text cannot be read. */
  readonly turn: StoredTurn | null;
  readonly marks: readonly TurnMark[];
}

export interface TurnsPage {
  readonly items: readonly TurnWithMarks[];
  readonly nextCursor: string | null;
}

interface FoundTurn {
  readonly id: string;
  readonly origin: string;
  readonly span_id: string | null;
  readonly superseded: boolean;
}

/**
 * The turns of a project, newest first, whole. A page ends early when its turns are large.
 * @param byExperiment a relation with `turn_id`: only these turns, made by experiments; null means
 *   live turns
 * @throws AssayError invalid_request on a foreign cursor
 */
export async function listTurns(
  ctx: ProjectCtx,
  filters: TurnFilters,
  byExperiment: Fragment | null = null,
): Promise<TurnsPage> {
  const { sql, projectId } = ctx;
  const { session, trace, model, source, from, to, cursor, limit = 50 } = filters;
  const after = cursor === undefined ? null : readCursor(cursor);
  const rows = await sql<(FoundTurn & { bytes: number; placed_at: string })[]>`
    select id, origin, span_id, superseded, pg_column_size(payload) as bytes,
      to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as placed_at
    from turns t where project_id = ${projectId}
      ${byExperiment === null ? sql`and origin <> 'experiment'` : sql`and origin = 'experiment' and id in (select turn_id from (${byExperiment}) as m) and ${isReadableTurn(ctx)}`}
      ${session === undefined ? sql`` : sql`and session_id = ${session}`}
      ${trace === undefined ? sql`` : sql`and trace_id = ${trace}`}
      ${model === undefined ? sql`` : sql`and ${isModel(ctx, sql`model`, model)}`}
      ${source === undefined ? sql`` : sql`and source = ${source}`}
      ${from === undefined ? sql`` : sql`and received_at >= ${from.toISOString()}::timestamptz`}
      ${to === undefined ? sql`` : sql`and received_at < ${to.toISOString()}::timestamptz`}
      ${after === null ? sql`` : sql`and (received_at, id) < (${after.at}::timestamptz, ${after.id})`}
    order by received_at desc, id desc limit ${limit + 1}`;
  const page = fitting(rows.slice(0, limit));
  const last = page.at(-1);
  return {
    items: await withMarks(ctx, page),
    nextCursor:
      rows.length > page.length && last !== undefined
        ? cursorAt({ at: last.placed_at, id: last.id })
        : null,
  };
}

/**
 * The turns of a session in the order of the conversation (`listTurnsOf`), whole.
 * @throws AssayError invalid_request on a foreign cursor
 */
export async function listSessionTurns(ctx: ProjectCtx, input: TurnsOf): Promise<TurnsPage> {
  const { rows, nextCursor } = await listPlaced(ctx, input);
  return { items: await withMarks(ctx, rows), nextCursor };
}

/** One turn, whole, with scores that others sent about it. @throws AssayError not_found */
export async function getWholeTurn(
  ctx: ProjectCtx,
  id: string,
): Promise<TurnWithMarks & { readonly scores: readonly SentScore[] }> {
  const rows = await ctx.sql<FoundTurn[]>`
    select id, origin, span_id, superseded from turns t
    where project_id = ${ctx.projectId} and id = ${id} and ${isReadableTurn(ctx)}`;
  const [[found], scores] = await Promise.all([withMarks(ctx, rows), loadScores(ctx, null, id)]);
  if (found === undefined) throw notFound('turn');
  return { ...found, scores };
}

async function withMarks(
  ctx: ProjectCtx,
  rows: readonly FoundTurn[],
): Promise<readonly TurnWithMarks[]> {
  const { projectId } = ctx;
  const [turns, marks] = await Promise.all([
    loadTurns(
      ctx,
      rows.map(({ id }) => ({ projectId, subjectId: id })),
    ),
    loadMarks(
      ctx,
      rows.map(({ id }) => id),
    ),
  ]);
  return rows.map(({ id, origin, span_id: spanId, superseded }) => ({
    id,
    origin,
    spanId,
    superseded,
    turn: readable(turns.get(turnKey(projectId, id))),
    marks: marks.get(id) ?? [],
  }));
}

/** Damaged content loses only its own turn. */
function readable(read: (() => StoredTurn) | undefined): StoredTurn | null {
  try {
    return read?.() ?? null;
  } catch {
    return null;
  }
}
