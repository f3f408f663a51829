import type { ProjectCtx } from '../access';
import { notFound } from '../platform';
import { buildTree, type Node } from './assembly/span-tree';
import type { SpanRole } from './conventions/gen-span';
import { asTraceRow, type StoredTrace, traceColumns, type TraceRow } from './list-traces';
import { loadMarks, type TurnMark } from './marks';
import { readSpans } from './read-spans';
import { isTime } from './span-time';

/** A span as one line: no attributes and no content, since a trace may have tens of thousands. */
export interface SpanRow {
  readonly id: string;
  /** How deep it stands in the tree; rows come in the order in which the tree reads, so its children follow it, one deeper. */
  readonly depth: number;
  readonly name: string;
  readonly role: SpanRole;
  /** From the start of the trace, milliseconds; null without a usable time. */
  readonly startMs: number | null;
  /** Null for a span that never told its end. */
  readonly durationMs: number | null;
  readonly error: boolean;
  readonly model: string | null;
  readonly tool: string | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly flags: readonly string[];
}

/** A turn of a trace. `spanId` null: it was sent on its own and names the trace. */
export interface TraceTurn {
  readonly id: string;
  readonly spanId: string | null;
  readonly revision: number;
  readonly superseded: boolean;
  readonly model: string | null;
  readonly marks: readonly TurnMark[];
}

/** A measurement that another tool sent along. */
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
  /** Null: no span has come, turns that were sent on their own name it. */
  readonly trace: TraceRow | null;
  /** Why a span that looks like an answer gave no turn. */
  readonly notes: readonly { readonly spanId: string; readonly reason: string }[];
  readonly durationMs: number | null;
  readonly spans: readonly SpanRow[];
  readonly turns: readonly TraceTurn[];
  readonly scores: readonly SentScore[];
}

/** All that the page of a trace shows but the contents of its spans. @throws AssayError not_found, alike for another project's */
export async function getTrace(ctx: ProjectCtx, id: string): Promise<TraceData> {
  const { sql, projectId } = ctx;
  const [[row], turns, scores, spans] = await Promise.all([
    sql<(StoredTrace & { notes: TraceData['notes'] | null })[]>`
      select ${traceColumns(ctx)}, c.notes from traces c where c.project_id = ${projectId} and c.id = ${id}`,
    loadTurnsOf(ctx, id),
    loadScores(ctx, id),
    readSpans(ctx, id),
  ]);
  if (row === undefined && turns.length === 0) throw notFound('trace');
  const { rows, durationMs } = layOut(buildTree(spans.spans));
  return {
    trace: row === undefined ? null : asTraceRow(row),
    notes: row?.notes ?? [],
    durationMs,
    spans: rows,
    turns,
    scores,
  };
}

async function loadTurnsOf(ctx: ProjectCtx, traceId: string): Promise<TraceTurn[]> {
  const rows = await ctx.sql<{ id: string; span_id: string | null; revision: number; superseded: boolean; model: string | null }[]>`
    select id, span_id, revision, superseded, model from turns where project_id = ${ctx.projectId} and trace_id = ${traceId}
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

/** Measurements of others about a trace, or about one turn. */
export async function loadScores(ctx: ProjectCtx, traceId: string | null, turnId: string | null = null): Promise<SentScore[]> {
  const { sql } = ctx;
  const rows = await sql<ScoreRow[]>`
    select id, turn_id, span_id, source, name, value, label, explanation, model, measured_at from foreign_scores
    where project_id = ${ctx.projectId} and ${traceId === null ? sql`turn_id = ${turnId}` : sql`trace_id = ${traceId}`}
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

/** Nodes in the order in which the tree reads. Parents are above their children; circles were opened by `buildTree`. */
export function layOut(nodes: readonly Node[]): { rows: SpanRow[]; durationMs: number | null } {
  const children = new Map<Node | null, Node[]>();
  for (const node of nodes) {
    const siblings = children.get(node.parent);
    if (siblings === undefined) children.set(node.parent, [node]);
    else siblings.push(node);
  }
  const origin = nodes.reduce<bigint | null>((first, { span }) => earlier(first, nsOf(span.startNs)), null);
  const rows: SpanRow[] = [];
  let latest: number | null = null;
  const due: [Node, number][] = (children.get(null) ?? []).toReversed().map((node) => [node, 0]);
  for (let next = due.pop(); next !== undefined; next = due.pop()) {
    const [node, depth] = next;
    const row = asRow(node, depth, origin);
    rows.push(row);
    if (row.startMs !== null) latest = Math.max(latest ?? 0, row.startMs + (row.durationMs ?? 0));
    for (const child of (children.get(node) ?? []).toReversed()) due.push([child, depth + 1]);
  }
  return { rows, durationMs: latest };
}

function asRow({ span, gen }: Node, depth: number, origin: bigint | null): SpanRow {
  const tokens = gen.inputTokens === null && gen.outputTokens === null ? null : (gen.inputTokens ?? 0) + (gen.outputTokens ?? 0);
  return {
    id: span.spanId,
    depth,
    name: span.name,
    role: gen.role,
    startMs: msBetween(origin, nsOf(span.startNs)),
    durationMs: durationOf(span.startNs, span.endNs),
    error: span.status.code === 2,
    model: gen.model,
    tool: gen.toolName,
    tokens,
    costUsd: gen.costUsd,
    flags: span.flags,
  };
}

/** Null where either time is missing or the end lies before the start. */
export function durationOf(startNs: string, endNs: string): number | null {
  const ms = msBetween(nsOf(startNs), nsOf(endNs));
  return ms === null || ms < 0 ? null : ms;
}

export function nsOf(ns: string): bigint | null {
  return isTime(ns) && /^\d{1,20}$/.test(ns) ? BigInt(ns) : null;
}

/** Milliseconds with microsecond steps: finer than any clock that was read for them. */
export function msBetween(from: bigint | null, to: bigint | null): number | null {
  return from === null || to === null ? null : Number((to - from) / 1000n) / 1000;
}

function earlier(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b;
  return b < a ? b : a;
}
