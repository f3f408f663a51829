import type { ProjectCtx } from '../../access';
import type { TurnContent } from '../../domain';
import { cursorAt, readCursor } from '../../platform';
import { cut } from './get-span';
import { loadTurns, turnKey } from './get-turn';
import type { TurnsOf } from '../input';
import { loadMarks, type TurnMark } from './marks';

/** One turn of a conversation. Long texts are truncated; the turn's own page shows them whole. */
export interface SessionTurn {
  readonly id: string;
  readonly revision: number;
  readonly traceId: string | null;
  readonly spanId: string | null;
  readonly model: string | null;
  readonly source: string | null;
  readonly origin: string;
  readonly superseded: boolean;
  readonly at: Date;
  readonly flags: readonly string[];
  /** Null if its stored text cannot be read. */
  readonly texts: {
    /** The messages since the model last answered. */
    readonly newMessages: TurnContent['input'];
    /** Earlier messages, which the conversation has already shown. */
    readonly earlier: number;
    readonly tools: TurnContent['tools'];
    readonly context: TurnContent['context'];
    readonly answer: string;
  } | null;
  readonly marks: readonly TurnMark[];
}

export interface SessionTurnPage {
  readonly items: readonly SessionTurn[];
  readonly nextCursor: string | null;
}

interface PlacedTurn {
  id: string;
  at: string;
  placed_at: string;
  bytes: number;
  span_id: string | null;
  origin: string;
  superseded: boolean;
}

/**
 * Limit of stored bytes per page; a page has at least one turn and ends before it exceeds the
 * limit.
 */
const pageBytes = 8 * 1024 * 1024;
const textMax = 20_000;

/**
 * A page of a session's turns in the order of the conversation. Turns without times are in order of
 * arrival, and those of one batch in order of their ids, with numbers compared as numbers: `t-2`
 * before `t-10`.
 * @throws AssayError invalid_request on a foreign cursor
 */
export async function listPlaced(
  ctx: ProjectCtx,
  input: TurnsOf,
): Promise<{ readonly rows: readonly PlacedTurn[]; readonly nextCursor: string | null }> {
  const { sql, projectId } = ctx;
  const after = input.cursor === undefined ? null : readCursor(input.cursor);
  const limit = input.limit ?? 20;
  const rows = await sql<PlacedTurn[]>`
    select id, span_id, origin, superseded, pg_column_size(payload) as bytes, coalesce(started_at, received_at) as at,
      to_char(coalesce(started_at, received_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as placed_at
    from turns where project_id = ${projectId} and session_id = ${input.session} and origin <> 'experiment'
      ${after === null ? sql`` : sql`and (coalesce(started_at, received_at), length(id), id) > (${after.at}::timestamptz, length(${after.id}::text), ${after.id})`}
    order by coalesce(started_at, received_at), length(id), id limit ${limit + 1}`;
  const page = fitting(rows.slice(0, limit));
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor:
      rows.length > page.length && last !== undefined
        ? cursorAt({ at: last.placed_at, id: last.id })
        : null,
  };
}

/**
 * The turns of a session in the order of the conversation, with long texts truncated.
 * @throws AssayError invalid_request on a foreign cursor
 */
export async function listTurnsOf(ctx: ProjectCtx, input: TurnsOf): Promise<SessionTurnPage> {
  const { projectId } = ctx;
  const { rows: page, nextCursor } = await listPlaced(ctx, input);
  const loaded = await loadTurns(
    ctx,
    page.map((row) => ({ projectId, subjectId: row.id })),
  );
  const marks = await loadMarks(
    ctx,
    page.map((row) => row.id),
  );
  return {
    items: page.flatMap((row) => {
      const read = loaded.get(turnKey(projectId, row.id));
      return read === undefined ? [] : [asSpoken(row, read, marks.get(row.id) ?? [])];
    }),
    nextCursor,
  };
}

/** The first rows whose stored text fits into a page together, at least one. */
export function fitting<Row extends { readonly bytes: number }>(
  rows: readonly Row[],
): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += row.bytes;
    return index > 0 && bytes > pageBytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

type Stored = ReturnType<NonNullable<ReturnType<Awaited<ReturnType<typeof loadTurns>>['get']>>>;

function asSpoken(row: PlacedTurn, read: () => Stored, marks: readonly TurnMark[]): SessionTurn {
  let turn: Stored | null = null;
  try {
    turn = read();
  } catch {
    // A damaged payload loses only its own content.
  }
  return {
    id: row.id,
    revision: turn?.revision ?? 1,
    traceId: turn?.traceId ?? null,
    spanId: row.span_id,
    model: turn?.model ?? null,
    source: turn?.source ?? null,
    origin: row.origin,
    superseded: row.superseded,
    at: new Date(row.at),
    flags: turn?.flags ?? [],
    texts: turn === null ? null : textsOfTurn(turn.content),
    marks,
  };
}

function textsOfTurn({
  input,
  tools,
  context,
  output,
  answer,
}: TurnContent): NonNullable<SessionTurn['texts']> {
  // A model that only calls tools does not answer: its question is still open. Results of tools are
  // listed under tools.
  const from =
    input.findLastIndex((message) => message.role === 'assistant' && message.content !== '') + 1;
  const newMessages = input
    .slice(from)
    .filter((message) => message.role !== 'tool' && message.content !== '');
  return {
    newMessages: newMessages.map((message) => ({
      role: message.role,
      content: cut(message.content, textMax),
    })),
    earlier: from,
    tools: tools.map((tool) => ({
      ...tool,
      arguments: cut(tool.arguments, textMax),
      result: cut(tool.result, textMax),
    })),
    context: context.map((block) => ({ ...block, content: cut(block.content, textMax) })),
    answer: cut(output === '' ? answer : output, textMax),
  };
}
