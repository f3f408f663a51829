import type { ProjectCtx } from '../../access';
import { notFound } from '../../platform';
import { asTraceRow, type StoredTrace, traceColumns, type TraceRow } from './list-traces';
import { loadMarks, type TurnMark } from './marks';

/** A turn of a trace. `spanId` null if it was sent separately and names the trace. */
export interface TraceTurn {
  readonly id: string;
  readonly spanId: string | null;
  readonly revision: number;
  readonly superseded: boolean;
  readonly model: string | null;
  readonly marks: readonly TurnMark[];
}

/** A measurement that another tool sent with the trace. */
export interface SentScore {
  readonly id: string;
  readonly turnId: string | null;
  readonly spanId: string | null;
  readonly source: string;
  readonly name: string;
  readonly value: number | null;
  readonly label: string | null;
  readonly explanation: string | null;
  readonly model: string | null;
  readonly measuredAt: Date | null;
}

export interface TraceData {
  /** As stored: OpenTelemetry's ids are lower case, regardless of the case of the request. */
  readonly id: string;
  /** Null if no span has been received, only turns that were sent separately and name it. */
  readonly trace: TraceRow | null;
  /** The reason why a span that looks like an answer produced no turn. */
  readonly notes: readonly { readonly spanId: string; readonly reason: string }[];
  readonly turns: readonly TraceTurn[];
  readonly scores: readonly SentScore[];
}

/**
 * The summary of a trace and its results, without its spans (`listSpans`). @throws AssayError
 * not_found, also for another project's
 */
export async function getTrace(ctx: ProjectCtx, id: string): Promise<TraceData> {
  const { sql, projectId } = ctx;
  const [[row], turns, scores] = await Promise.all([
    sql<(StoredTrace & { notes: TraceData['notes'] | null })[]>`
      select ${traceColumns(ctx)}, c.notes from traces c where c.project_id = ${projectId} and c.id in (${id}, ${lowerTraceId(id)})
      order by c.id = ${id} desc limit 1`,
    loadTurnsOf(ctx, id),
    loadScores(ctx, id),
  ]);
  if (row === undefined && turns.length === 0) throw notFound('trace');
  return {
    id: row?.id ?? id,
    trace: row === undefined ? null : asTraceRow(row),
    notes: row?.notes ?? [],
    turns,
    scores,
  };
}

/**
 * Turns that were sent separately may name a trace by any text: only a valid OpenTelemetry id is
 * case-insensitive.
 */
function lowerTraceId(id: string): string {
  return /^[0-9a-f]{32}$/i.test(id) ? id.toLowerCase() : id;
}

async function loadTurnsOf(ctx: ProjectCtx, traceId: string): Promise<TraceTurn[]> {
  const rows = await ctx.sql<
    {
      id: string;
      span_id: string | null;
      revision: number;
      superseded: boolean;
      model: string | null;
    }[]
  >`
    select id, span_id, revision, superseded, model from turns where project_id = ${ctx.projectId} and trace_id in (${traceId}, ${lowerTraceId(traceId)})
      and origin <> 'experiment'
    order by coalesce(started_at, received_at), id`;
  const marks = await loadMarks(
    ctx,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    id: row.id,
    spanId: row.span_id,
    revision: row.revision,
    superseded: row.superseded,
    model: row.model,
    marks: marks.get(row.id) ?? [],
  }));
}

interface ScoreRow {
  id: string;
  turn_id: string | null;
  span_id: string | null;
  source: string;
  name: string;
  value: number | null;
  label: string | null;
  explanation: string | null;
  model: string | null;
  measured_at: string | null;
}

/** Measurements of other tools about a trace, or about one turn. */
export async function loadScores(
  ctx: ProjectCtx,
  traceId: string | null,
  turnId: string | null = null,
): Promise<SentScore[]> {
  const { sql } = ctx;
  const rows = await sql<ScoreRow[]>`
    select id, turn_id, span_id, source, name, value, label, explanation, model, measured_at from foreign_scores
    where project_id = ${ctx.projectId} and ${traceId === null ? sql`turn_id = ${turnId}` : sql`trace_id in (${traceId}, ${lowerTraceId(traceId)})`}
    order by coalesce(measured_at, created_at), id limit 1000`;
  return rows.map((row) => ({
    id: row.id,
    turnId: row.turn_id,
    spanId: row.span_id,
    source: row.source,
    name: row.name,
    value: row.value,
    label: row.label,
    explanation: row.explanation,
    model: row.model,
    measuredAt: row.measured_at === null ? null : new Date(row.measured_at),
  }));
}
