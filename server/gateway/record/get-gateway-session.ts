import type { ProjectCtx } from '../../access';
import { AnswerVerification, BufferedIntegrity } from '../../domain';
import { cursorAt, notFound, readCursor } from '../../platform';
import { loadTurns, partBySize, turnKey } from '../../ingest';
import { asCall, callColumns, type CallRow, type StoredCall } from './call-row';
import type { GatewaySessionRef } from './views-input';
import { unitsOf } from './list-gateway-sessions';

/**
 * One call on the session's page, with the judge's reply, the question and the answer. Long texts
 * are cut.
 */
export interface SessionCall extends CallRow {
  readonly episode: AnswerVerification | null;
  readonly integrity: BufferedIntegrity | null;
  /** Null if the call has no turn, or it cannot be read. */
  readonly texts: { readonly question: string | null; readonly answer: string } | null;
}

export interface GatewaySession {
  readonly id: string;
  readonly calls: number;
  readonly steered: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** From the session's last call. */
  readonly route: string;
  /** Current counter in thousandths of a turn; null if nothing was counted. */
  readonly counted: number | null;
  /** Newest first. */
  readonly items: readonly SessionCall[];
  readonly nextCursor: string | null;
}

const textMax = 20_000;

type StoredSessionCall = StoredCall & { episode: unknown; integrity: unknown };

/**
 * A session's calls, newest first, with keyset pagination.
 * @throws AssayError not_found for an unknown id or another project's id; invalid_request on a
 * foreign cursor
 */
export async function getGatewaySession(
  ctx: ProjectCtx,
  input: GatewaySessionRef,
): Promise<GatewaySession> {
  const { sql, projectId } = ctx;
  const limit = input.limit ?? 30;
  const after = input.cursor === undefined ? null : readCursor(input.cursor);
  const [head] = await sql<HeadRow[]>`
    select count(*)::int as calls, (count(*) filter (where verdict = 'steered'))::int as steered, min(created_at) as first_at,
      max(created_at) as last_at, (array_agg(route order by created_at desc, id desc))[1] as route,
      (select units from (${unitsOf(ctx, input.id)}) as counted) as counted
    from gateway_calls where project_id = ${projectId} and session_id = ${input.id}`;
  if (head === undefined || head.calls === 0 || head.route === null) throw notFound('session');
  const rows = await sql<StoredSessionCall[]>`
    select ${callColumns(sql)}, c.episode, c.integrity from gateway_calls c
    where c.project_id = ${projectId} and c.session_id = ${input.id}
      ${after === null ? sql`` : sql`and (c.created_at, c.id) < (${after.at}::timestamptz, ${after.id})`}
    order by c.created_at desc, c.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const textsByTurn = await readTexts(
    ctx,
    page.flatMap(({ turn_id: turnId }) => (turnId === null ? [] : [turnId])),
  );
  return {
    id: input.id,
    calls: head.calls,
    steered: head.steered,
    firstAt: new Date(head.first_at),
    lastAt: new Date(head.last_at),
    route: head.route,
    counted: head.counted === null ? null : Number(head.counted),
    items: page.map((row) => asSessionCall(row, textsByTurn.get(row.turn_id ?? '') ?? null)),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}

interface HeadRow {
  calls: number;
  steered: number;
  first_at: string;
  last_at: string;
  route: string | null;
  counted: number | null;
}

function asSessionCall(row: StoredSessionCall, texts: SessionCall['texts']): SessionCall {
  const episode = AnswerVerification.safeParse(row.episode);
  const integrity = BufferedIntegrity.safeParse(row.integrity);
  return {
    ...asCall(row),
    episode: episode.success ? withCutAnswer(episode.data) : null,
    integrity: integrity.success ? integrity.data : null,
    texts,
  };
}

function withCutAnswer(episode: AnswerVerification): AnswerVerification {
  const { steer } = episode;
  if (steer === null || steer.other_answer === null) return episode;
  return { ...episode, steer: { ...steer, other_answer: cut(steer.other_answer) } };
}

/**
 * The last question and the delivered answer of each readable turn. Loads turns in parts that fit
 * into memory.
 */
async function readTexts(
  ctx: ProjectCtx,
  turnIds: readonly string[],
): Promise<Map<string, NonNullable<SessionCall['texts']>>> {
  const textsByTurn = new Map<string, NonNullable<SessionCall['texts']>>();
  const keys = turnIds.map((subjectId) => ({ projectId: ctx.projectId, subjectId }));
  for (const part of await partBySize(ctx, keys)) {
    const turns = await loadTurns(ctx, part);
    for (const { projectId, subjectId } of part) {
      try {
        const content = turns.get(turnKey(projectId, subjectId))?.().content;
        if (content === undefined) continue;
        const question = content.input.findLast(({ role }) => role === 'user')?.content ?? null;
        textsByTurn.set(subjectId, {
          question: question === null ? null : cut(question),
          answer: cut(content.output === '' ? content.answer : content.output),
        });
      } catch {
        // A damaged payload must not hide the other turns.
      }
    }
  }
  return textsByTurn;
}

function cut(text: string): string {
  return text.length <= textMax ? text : `${text.slice(0, textMax).toWellFormed()}…`;
}
