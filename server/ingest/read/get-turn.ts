import { isReadableTurn, type ProjectCtx } from '../../access';
import type { TurnContent } from '../../domain';
import { joinStatements, notFound } from '../../platform';
import { readTurn, sentAnswer } from './read';

export interface StoredTurn {
  readonly projectId: string;
  readonly id: string;
  readonly revision: number;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  readonly source: string | null;
  readonly model: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly receivedAt: Date;
  readonly contentHash: string;
  readonly flags: readonly string[];
  readonly content: TurnContent;
  /** Its JSON text as sent. */
  readonly payload: string;
  /** US dollars, sent or computed; null if no cost is known. */
  readonly costUsd: number | null;
  /** Where the cost comes from (`UsageCost`); null if no usage was reported. */
  readonly costBasis: readonly string[] | null;
}

interface TurnRow {
  project_id: string;
  id: string;
  revision: number;
  session_id: string | null;
  trace_id: string | null;
  source: string | null;
  model: string | null;
  started_at: string | null;
  ended_at: string | null;
  received_at: string;
  content_hash: string;
  flags: string[];
  origin: string;
  payload: string;
  cost_usd: number | null;
  cost_basis: string[] | null;
}

/** One turn that the caller may read. @throws AssayError not_found */
export async function getTurn(ctx: ProjectCtx, id: string): Promise<StoredTurn> {
  const turn = await findTurn(ctx, id);
  if (turn === null) throw notFound('turn');
  return turn;
}

export async function findTurn(ctx: ProjectCtx, id: string): Promise<StoredTurn | null> {
  const [row] = await ctx.sql<TurnRow[]>`
    select project_id, id, revision, session_id, trace_id, source, model, started_at, ended_at, received_at, content_hash, to_jsonb(flags) as flags, origin, payload,
      cost_usd, to_jsonb(cost_basis) as cost_basis
    from turns t where project_id = ${ctx.projectId} and id = ${id} and ${isReadableTurn(ctx)}`;
  return row === undefined ? null : asTurn(row);
}

interface TurnKey {
  readonly projectId: string;
  readonly subjectId: string;
}

type FoundTurns = Map<string, () => StoredTurn>;

/**
 * The turns of a batch of work, across projects; missing ones are omitted. Reading a damaged turn
 * throws only for that turn. A single turn shares its statement with those that others load now.
 */
export async function loadTurns(
  ctx: Pick<ProjectCtx, 'sql'>,
  keys: readonly TurnKey[],
): Promise<FoundTurns> {
  const [only] = keys;
  return keys.length === 1 && only !== undefined ? loadShared(ctx, only) : readTurns(ctx, keys);
}

/** The maximum number of turns that are loaded together without checking their size. */
const sharedMax = 8;

const loadShared = joinStatements<Pick<ProjectCtx, 'sql'>, TurnKey, FoundTurns>(
  async (ctx, keys) => {
    const unique = new Map(keys.map((key) => [turnKey(key.projectId, key.subjectId), key]));
    const found = await readTurns(ctx, [...unique.values()]);
    return keys.map(() => found);
  },
  { rowsMax: sharedMax },
);

async function readTurns(
  ctx: Pick<ProjectCtx, 'sql'>,
  keys: readonly TurnKey[],
): Promise<FoundTurns> {
  const wanted = JSON.stringify(keys.map((key) => ({ p: key.projectId, i: key.subjectId })));
  // Here and below the limit makes PostgreSQL find each turn by its key; a plain join may read all
  // turns.
  const rows = await ctx.sql<TurnRow[]>`
    select t.* from jsonb_to_recordset(${wanted}::text::jsonb) as k(p text, i text)
    cross join lateral (
      select project_id, id, revision, session_id, trace_id, source, model, started_at, ended_at, received_at, content_hash,
        to_jsonb(flags) as flags, origin, payload, cost_usd, to_jsonb(cost_basis) as cost_basis
      from turns where project_id = k.p and id = k.i limit 1
    ) as t`;
  return new Map(rows.map((row) => [turnKey(row.project_id, row.id), () => asTurn(row)]));
}

/**
 * Stored bytes of turns that are loaded at once; they are compressed and may take several times
 * that in memory.
 */
const partBytes = 16 * 1024 * 1024;

/**
 * Splits a batch of work into groups whose turns fit into memory together. Keeps the order; a turn
 * over the limit gets a separate group.
 */
export async function partBySize<Key extends TurnKey>(
  ctx: Pick<ProjectCtx, 'sql'>,
  keys: readonly Key[],
): Promise<Key[][]> {
  const [first] = keys;
  if (first === undefined) return [];
  const isOne = (key: Key): boolean =>
    key.projectId === first.projectId && key.subjectId === first.subjectId;
  if (keys.every(isOne)) return [[...keys]];
  const wanted = JSON.stringify(keys.map((key) => ({ p: key.projectId, i: key.subjectId })));
  const rows = await ctx.sql<{ project_id: string; id: string; bytes: number }[]>`
    select t.* from jsonb_to_recordset(${wanted}::text::jsonb) as k(p text, i text)
    cross join lateral (
      select project_id, id, pg_column_size(payload) as bytes from turns where project_id = k.p and id = k.i limit 1
    ) as t`;
  const sizes = new Map(rows.map((row) => [turnKey(row.project_id, row.id), row.bytes]));
  const parts: Key[][] = [];
  let part: Key[] = [];
  let bytes = 0;
  for (const key of keys) {
    const size = sizes.get(turnKey(key.projectId, key.subjectId)) ?? 0;
    if (part.length > 0 && bytes + size > partBytes) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(key);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

export function turnKey(projectId: string, id: string): string {
  return `${projectId}\n${id}`;
}

/**
 * The bytes of a turn as received, where they differ from the stored text; else the stored text.
 * @throws AssayError not_found
 */
export async function getOriginal(ctx: ProjectCtx, id: string): Promise<Buffer> {
  const [row] = await ctx.sql<{ body: Buffer | null; payload: string }[]>`
    select o.body, t.payload from turns t
    left join turn_originals o on o.project_id = t.project_id and o.turn_id = t.id and o.content_hash = t.content_hash
    where t.project_id = ${ctx.projectId} and t.id = ${id} and ${isReadableTurn(ctx)} limit 1`;
  if (row === undefined) throw notFound('turn');
  return row.body ?? Buffer.from(row.payload);
}

/** The answer of a turn exactly as sent, or null if there is no such turn. */
export async function findSentAnswer(ctx: ProjectCtx, id: string): Promise<string | null> {
  const [row] = await ctx.sql<
    { payload: string }[]
  >`select payload from turns where project_id = ${ctx.projectId} and id = ${id}`;
  return row === undefined ? null : sentAnswer(row.payload);
}

function asTurn(row: TurnRow): StoredTurn {
  return {
    projectId: row.project_id,
    id: row.id,
    revision: row.revision,
    sessionId: row.session_id,
    traceId: row.trace_id,
    source: row.source,
    model: row.model,
    startedAt: date(row.started_at),
    endedAt: date(row.ended_at),
    receivedAt: new Date(row.received_at),
    contentHash: row.content_hash,
    flags: row.flags,
    // A later revision contains content that others sent under the same id.
    content: readTurn(row.payload, row.origin === 'gateway' && row.revision === 1),
    payload: row.payload,
    costUsd: row.cost_usd,
    costBasis: row.cost_basis,
  };
}

function date(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
