import type { ProjectCtx } from '../../access';
import { buildTree, type Node } from '../assembly/span-tree';
import type { SpanRole } from '../conventions/gen-span';
import { readSpans } from './read-spans';
import { isTime } from '../span-time';

/** A span as one line: without attributes and content, since a trace may have tens of thousands. */
export interface SpanRow {
  readonly id: string;
  /** As reported by the span, even if the parent has not been received. */
  readonly parentId: string | null;
  /** Its depth in the tree; rows are in tree order, so its children follow it, one level deeper. */
  readonly depth: number;
  readonly name: string;
  readonly role: SpanRole;
  /** From the start of the trace, milliseconds; null without a usable time. */
  readonly startMs: number | null;
  /** Null for a span without an end. */
  readonly durationMs: number | null;
  readonly error: boolean;
  readonly model: string | null;
  readonly tool: string | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly flags: readonly string[];
}

export interface SpanTree {
  readonly rows: readonly SpanRow[];
  /** From the first start to the last end, milliseconds; null where no span has a usable time. */
  readonly durationMs: number | null;
}

/** The spans of a trace in tree order; empty for an id that no span of the project has. */
export async function listSpans(ctx: ProjectCtx, traceId: string): Promise<SpanTree> {
  return layOut(buildTree(await readSpans(ctx, traceId)));
}

/** Nodes in tree order. Parents precede their children; `buildTree` has broken up cycles. */
export function layOut(nodes: readonly Node[]): SpanTree {
  const children = new Map<Node | null, Node[]>();
  for (const node of nodes) {
    const siblings = children.get(node.parent);
    if (siblings === undefined) children.set(node.parent, [node]);
    else siblings.push(node);
  }
  const origin = nodes.reduce<bigint | null>(
    (first, { span }) => earlier(first, nsOf(span.startNs)),
    null,
  );
  const rows: SpanRow[] = [];
  let latest: number | null = null;
  const stack: [Node, number][] = (children.get(null) ?? []).toReversed().map((node) => [node, 0]);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, depth] = next;
    const row = asRow(node, depth, origin);
    rows.push(row);
    if (row.startMs !== null) latest = Math.max(latest ?? 0, row.startMs + (row.durationMs ?? 0));
    for (const child of (children.get(node) ?? []).toReversed()) stack.push([child, depth + 1]);
  }
  return { rows, durationMs: latest };
}

function asRow({ span, gen }: Node, depth: number, origin: bigint | null): SpanRow {
  const tokens =
    gen.inputTokens === null && gen.outputTokens === null
      ? null
      : (gen.inputTokens ?? 0) + (gen.outputTokens ?? 0);
  return {
    id: span.spanId,
    parentId: span.parentSpanId,
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

/** Null if either time is missing or the end is before the start. */
export function durationOf(startNs: string, endNs: string): number | null {
  const ms = msBetween(nsOf(startNs), nsOf(endNs));
  return ms === null || ms < 0 ? null : ms;
}

export function nsOf(ns: string): bigint | null {
  return isTime(ns) && /^\d{1,20}$/.test(ns) ? BigInt(ns) : null;
}

/** Milliseconds in microsecond steps: finer than any clock that measured them. */
export function msBetween(from: bigint | null, to: bigint | null): number | null {
  return from === null || to === null ? null : Number((to - from) / 1000n) / 1000;
}

function earlier(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b;
  return b < a ? b : a;
}
