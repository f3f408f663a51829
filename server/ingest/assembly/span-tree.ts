/**
 * The spans of a trace as a tree that tolerates missing data: parents that have not arrived yet,
 * cycles, spans without times. A *scope* is the content of one wrapper: an agent, a chain, a tool
 * that encloses further spans, or a missing parent. Spans outside any wrapper are in the scope of
 * the trace.
 */
import type { GenSpan } from '../conventions/gen-span';
import { readGenSpan } from '../conventions';
import { readToolOutput } from '../conventions/messages';
import { embedOrNull } from '../conventions/otel';
import type { MergedSpan } from './merge-spans';

/**
 * Wrappers nested deeper than this count as one, so that the cost of a trace stays linear in its
 * spans.
 */
const SCOPES_MAX = 64;
/** How far up a span searches its ancestors. */
const CLIMB_MAX = 64;

export interface SpanScope {
  readonly parent: SpanScope | null;
  readonly depth: number;
  readonly kind: 'trace' | 'missing' | 'agent' | 'chain' | 'tool';
  /**
   * The result of this tool is known: the model saw that result, and not the content inside the
   * tool.
   */
  readonly hidesInside: boolean;
}

export interface Node {
  readonly span: MergedSpan;
  readonly gen: GenSpan;
  readonly parent: Node | null;
  /** The scope the span is in, and the scope it opens (the same where it opens none). */
  readonly outer: SpanScope;
  readonly inner: SpanScope;
}

const traceScope: SpanScope = { parent: null, depth: 0, kind: 'trace', hidesInside: false };

/** A node for each span, in the order of `spans`. */
export function buildTree(spans: readonly MergedSpan[]): readonly Node[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const children = new Map<string, MergedSpan[]>();
  const tops: MergedSpan[] = [];
  for (const span of spans) {
    const { parentSpanId } = span;
    if (parentSpanId === null || !byId.has(parentSpanId) || parentSpanId === span.spanId)
      tops.push(span);
    else {
      const siblings = children.get(parentSpanId);
      if (siblings === undefined) children.set(parentSpanId, [span]);
      else siblings.push(span);
    }
  }
  const missing = new Map<string, SpanScope>();
  const nodes = new Map<string, Node>();
  const grow = (top: MergedSpan, outer: SpanScope): void => {
    const stack: [MergedSpan, Node | null, SpanScope][] = [[top, null, outer]];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const [span, parent, scope] = next;
      if (nodes.has(span.spanId)) continue;
      const read = readGenSpan(span);
      const gen = read.isStep && !children.has(span.spanId) ? asTool(read, span.name) : read;
      const node: Node = { span, gen, parent, outer: scope, inner: open(scope, gen) };
      nodes.set(span.spanId, node);
      for (const child of children.get(span.spanId) ?? []) stack.push([child, node, node.inner]);
    }
  };
  for (const top of tops) grow(top, scopeOfMissing(top, missing));
  // The remaining spans form a cycle: its first span becomes its top.
  for (const span of spans) if (!nodes.has(span.spanId)) grow(span, traceScope);
  return spans.map((span) => nodes.get(span.spanId)).filter((node) => node !== undefined);
}

/** A step that encloses nothing, as the tool that its client had no type for. */
function asTool(gen: GenSpan, name: string): GenSpan {
  const { callId, result } = readToolOutput(gen.outputValue);
  return {
    ...gen,
    role: 'tool',
    toolName: name,
    toolCallId: callId,
    toolArguments: embedOrNull(gen.inputValue),
    toolResult: result,
  };
}

function scopeOfMissing(top: MergedSpan, missing: Map<string, SpanScope>): SpanScope {
  if (top.parentSpanId === null || top.parentSpanId === top.spanId) return traceScope;
  const known = missing.get(top.parentSpanId) ?? {
    parent: traceScope,
    depth: 1,
    kind: 'missing',
    hidesInside: false,
  };
  missing.set(top.parentSpanId, known);
  return known;
}

function open(outer: SpanScope, gen: GenSpan): SpanScope {
  const { role } = gen;
  if (outer.depth >= SCOPES_MAX || (role !== 'agent' && role !== 'chain' && role !== 'tool'))
    return outer;
  return {
    parent: outer,
    depth: outer.depth + 1,
    kind: role,
    hidesInside: role === 'tool' && gen.toolResult !== null,
  };
}

/** The span and its ancestors, nearest first. */
export function* upwards(node: Node): Generator<Node> {
  let at: Node | null = node;
  for (let steps = 0; at !== null && steps < CLIMB_MAX; steps++) {
    yield at;
    at = at.parent;
  }
}
