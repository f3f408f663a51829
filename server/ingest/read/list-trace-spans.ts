import type { ProjectCtx } from '../../access';
import { readGenSpan } from '../conventions';
import type { GenSpan, JsonText, Message, SpanRole } from '../conventions/gen-span';
import { embedJson, writeJson } from '../conventions/json-value';
import { attributeText } from '../conventions/read-attribute';
import type { AttributeValue, Span } from '../span';
import { rfc3339 } from '../span-time';
import { durationOf } from './list-spans';
import { readSpans } from './read-spans';

/** A span with everything that it reports about the work, its texts untruncated, for verifiers. */
export interface TraceSpan {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly role: SpanRole;
  /** RFC 3339. */
  readonly startedAt: string | null;
  readonly durationMs: number | null;
  /** Why it failed; null where it did not. */
  readonly error: string | null;
  readonly model: string | null;
  readonly agent: string | null;
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  /**
   * Input and output as one value, JSON text or plain text, whether or not messages were read from
   * it.
   */
  readonly inputValue: string | null;
  readonly outputValue: string | null;
  readonly tool: {
    readonly name: string | null;
    readonly callId: string | null;
    readonly arguments: JsonText | null;
    readonly result: JsonText | null;
  } | null;
  readonly documents: GenSpan['documents'];
  /** Attributes `assay.*` without their prefix: `subject.kind`. */
  readonly assay: ReadonlyMap<string, string>;
  /** JSON text of the client's own metadata. */
  readonly metadata: JsonText;
  /** The span's node in an agent graph, and that node's predecessor (OpenInference). */
  readonly graphNode: string | null;
  readonly graphParent: string | null;
  /** The instrumentation that recorded it. */
  readonly scope: string;
}

/** The spans of one trace by start time; empty if none has been received. */
export async function listTraceSpans(
  ctx: Pick<ProjectCtx, 'sql' | 'projectId'>,
  traceId: string,
): Promise<TraceSpan[]> {
  return (await readSpans(ctx, traceId)).map(asTraceSpan);
}

export function asTraceSpan(span: Span): TraceSpan {
  const gen = readGenSpan(span);
  const isTool = gen.role === 'tool' || gen.toolName !== null || gen.toolResult !== null;
  return {
    id: span.spanId,
    parentId: span.parentSpanId,
    name: span.name,
    role: gen.role,
    startedAt: rfc3339(span.startNs),
    durationMs: durationOf(span.startNs, span.endNs),
    error:
      span.status.code === 2 ? span.status.message || `${span.name} ended with an error` : null,
    model: gen.model,
    agent: gen.agentName,
    input: gen.input,
    output: gen.output,
    inputValue: textOf(gen.inputValue),
    outputValue: textOf(gen.outputValue),
    tool: isTool
      ? {
          name: gen.toolName,
          callId: gen.toolCallId,
          arguments: gen.toolArguments,
          result: gen.toolResult,
        }
      : null,
    documents: gen.documents,
    assay: gen.assay,
    metadata: writeJson(gen.metadata),
    graphNode: attributeText(span.attributes, 'graph.node.id'),
    graphParent: attributeText(span.attributes, 'graph.node.parent_id'),
    scope: span.scope.name,
  };
}

function textOf(value: AttributeValue): string | null {
  if (value === null || value === '') return null;
  return typeof value === 'string' ? value : embedJson(value);
}
