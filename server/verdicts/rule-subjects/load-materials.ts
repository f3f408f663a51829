import type { EvaluationSubject, SubjectOf, TurnContent } from '../../domain';
import type { Ctx } from '../../platform';
import type { ClaimedWork } from '../../queue';
import {
  listTraceSpans,
  loadTurns,
  loadTurnsWithin,
  partBySize,
  type StoredTurn,
  type TraceSpan,
  turnKey,
} from '../../ingest';
import { fromMission, fromSession, fromTrace, fromTurn } from '../../verifiers';
import { readMissionTurns } from './read-mission-turns';

/** The stored data of one subject, as verifiers read it. */
export interface StoredMaterial {
  readonly revision: number;
  readonly subject: EvaluationSubject;
  /** The stored turns of the subject. */
  readonly turns: readonly TurnContent[];
  /** The spans, if the subject is a trace. */
  readonly spans: readonly TraceSpan[];
}

/**
 * The stored data for claimed work, as functions that read it when called, so that damaged data
 * throws only for its own work. Only turns are loaded together.
 */
export async function loadMaterials(
  ctx: Ctx,
  claimed: readonly ClaimedWork[],
): Promise<ReadonlyMap<ClaimedWork, () => Promise<StoredMaterial | null>>> {
  const found = new Map<ClaimedWork, () => Promise<StoredMaterial | null>>();
  const ofTurns = claimed.filter(({ subjectKind }) => subjectKind === 'turn');
  for (const part of await partBySize(ctx, ofTurns)) {
    const turns = await loadTurns(ctx, part);
    for (const work of part) {
      const read = turns.get(turnKey(work.projectId, work.subjectId));
      found.set(work, async () => (read === undefined ? null : ofTurn(read())));
    }
  }
  for (const work of claimed) {
    if (work.subjectKind === 'trace') found.set(work, () => ofTrace(ctx, work));
    if (work.subjectKind === 'session') found.set(work, () => ofSession(ctx, work));
    if (work.subjectKind === 'mission') found.set(work, () => ofMission(ctx, work));
  }
  return found;
}

/** The members of a stored turn that verifiers read. */
export type MaterialTurn = Omit<StoredTurn, 'projectId' | 'receivedAt' | 'contentHash' | 'flags'>;

export function ofTurn(turn: MaterialTurn): StoredMaterial {
  return { revision: turn.revision, subject: fromTurn(turn), turns: [turn.content], spans: [] };
}

interface TraceRow {
  revision: number;
  session_id: string | null;
  service: string | null;
  started_at: string | null;
  ended_at: string | null;
  input_tokens: string | null;
  output_tokens: string | null;
  cost_usd: number | null;
  tags: string[] | null;
}

export async function ofTrace(
  ctx: Ctx,
  { projectId, subjectId: id }: Pick<ClaimedWork, 'projectId' | 'subjectId'>,
): Promise<(StoredMaterial & { readonly subject: SubjectOf<'trace'> }) | null> {
  const [row] = await ctx.sql<TraceRow[]>`
    select revision, session_id, service, started_at, ended_at, input_tokens, output_tokens, cost_usd,
      to_jsonb(tags) as tags
    from traces where project_id = ${projectId} and id = ${id}`;
  if (row === undefined) return null;
  const [turns, spans] = await Promise.all([
    loadTurnsWithin(ctx, { projectId, within: 'trace', id }),
    listTraceSpans({ ...ctx, projectId }, id),
  ]);
  return {
    revision: row.revision,
    subject: fromTrace({
      id,
      sessionId: row.session_id,
      service: row.service,
      startedAt: date(row.started_at),
      endedAt: date(row.ended_at),
      inputTokens: number(row.input_tokens),
      outputTokens: number(row.output_tokens),
      costUsd: row.cost_usd,
      tags: row.tags ?? [],
      spans,
      turns: turns.map(fromTurn),
    }),
    turns: turns.map(({ content }) => content),
    spans,
  };
}

async function ofSession(
  ctx: Ctx,
  { projectId, subjectId: id }: ClaimedWork,
): Promise<StoredMaterial | null> {
  const [row] = await ctx.sql<{ n: number }[]>`
    select count(*)::int as n from turns
    where project_id = ${projectId} and session_id = ${id} and not superseded and origin <> 'experiment'`;
  const turns = await loadTurnsWithin(ctx, { projectId, within: 'session', id });
  if (row === undefined || turns.length === 0) return null;
  return {
    revision: row.n,
    subject: fromSession({ id, turns: turns.map(fromTurn) }),
    turns: turns.map(({ content }) => content),
    spans: [],
  };
}

async function ofMission(
  ctx: Ctx,
  { projectId, subjectId: id }: ClaimedWork,
): Promise<StoredMaterial | null> {
  const { revision, turns } = await readMissionTurns(ctx, projectId, id);
  return revision === 0
    ? null
    : { revision, subject: fromMission({ id, turns }), turns: [], spans: [] };
}

const date = (text: string | null): Date | null => (text === null ? null : new Date(text));
const number = (text: string | null): number | null => (text === null ? null : Number(text));
