/**
 * For hosts that already use OpenTelemetry: the URL for their exporter, and the attributes from
 * which Assay builds turns out of a trace. Names are those of OTel's GenAI conventions, of
 * OpenInference where OTel has none (documents), and Assay's own (docs/reference/opentelemetry.md).
 * A turn is an answer with the sources of that same turn: a figure can be traced only to content
 * that a span records.
 */

/** The part of a span that is used here; every OpenTelemetry span satisfies it. */
export interface SpanLike {
  setAttributes(attributes: Record<string, string | number | boolean>): unknown;
}

export type Attributes = Record<string, string | number | boolean>;

/** Assay's own attribute names. */
export const assayAttributes = {
  sessionId: 'assay.session.id',
  missionId: 'assay.mission.id',
  taskId: 'assay.task.id',
  subjectKind: 'assay.subject.kind',
} as const;

export interface ExporterTarget<C> {
  /** As in `createAssay`: without `/v1/traces`. */
  url: string;
  /** A project's API key with the scope `ingest`. */
  key: string;
  /** `CompressionAlgorithm.GZIP` of the exporter's own package. */
  compression?: C;
}

/**
 * Options of an OTLP/HTTP exporter, JSON or protobuf: `new OTLPTraceExporter(assayExporterOptions({
 * url, key }))`.
 */
export function assayExporterOptions<C = never>({
  url,
  key,
  compression,
}: ExporterTarget<C>): { url: string; headers: Record<string, string> } & { compression?: C } {
  return {
    url: `${url.trim().replace(/\/+$/, '')}/v1/traces`,
    headers: { authorization: `Bearer ${key.trim()}` },
    ...(compression === undefined ? {} : { compression }),
  };
}

export interface SessionNames {
  sessionId: string;
  missionId?: string;
  taskId?: string;
  /** The kind of the judged subject, if it is not a turn. */
  subjectKind?: string;
}

/**
 * Attributes of a session, for a span or as resource attributes for a whole process; merged with
 * `attributes`.
 */
export function withSession(session: SessionNames, attributes: Attributes = {}): Attributes {
  const named = Object.entries(assayAttributes).flatMap(([member, name]) => {
    const value = session[member as keyof SessionNames];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...attributes,
    ...Object.fromEntries(named),
    'gen_ai.conversation.id': session.sessionId,
  };
}

export interface ToolCall {
  name: string;
  /** The model's id of the call, which connects the result with the answer that used it. */
  id?: string;
  arguments?: unknown;
  result: unknown;
}

/**
 * For the span of a tool's execution: its result becomes a source of the next answer in the trace.
 */
export function recordToolResult(span: SpanLike, call: ToolCall): void {
  span.setAttributes({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.name,
    ...(call.id === undefined ? {} : { 'gen_ai.tool.call.id': call.id }),
    ...(call.arguments === undefined
      ? {}
      : { 'gen_ai.tool.call.arguments': asText(call.arguments) }),
    'gen_ai.tool.call.result': asText(call.result),
  });
}

/** For the span of a retrieval: each document becomes a context block of the next answer. */
export function recordDocuments(
  span: SpanLike,
  documents: readonly { id?: string; content: string }[],
): void {
  const entries = documents.flatMap(({ id, content }, at) => [
    ...(id === undefined ? [] : [[`retrieval.documents.${at}.document.id`, id] as const]),
    [`retrieval.documents.${at}.document.content`, content] as const,
  ]);
  span.setAttributes({ 'openinference.span.kind': 'RETRIEVER', ...Object.fromEntries(entries) });
}

export interface Answer {
  /** `openai` */
  provider: string;
  model: string;
  input: string | readonly { role: string; content: string }[];
  output: string;
  tokens?: { input?: number; output?: number };
}

/** For the span of a model call without instrumentation: the output becomes the turn's output. */
export function recordAnswer(span: SpanLike, answer: Answer): void {
  const input =
    typeof answer.input === 'string' ? [{ role: 'user', content: answer.input }] : answer.input;
  const { tokens } = answer;
  span.setAttributes({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': answer.provider,
    'gen_ai.request.model': answer.model,
    'gen_ai.input.messages': asText(
      input.map(({ role, content }) => ({ role, parts: [{ type: 'text', content }] })),
    ),
    'gen_ai.output.messages': asText([
      {
        role: 'assistant',
        parts: [{ type: 'text', content: answer.output }],
        finish_reason: 'stop',
      },
    ]),
    ...(tokens?.input === undefined ? {} : { 'gen_ai.usage.input_tokens': tokens.input }),
    ...(tokens?.output === undefined ? {} : { 'gen_ai.usage.output_tokens': tokens.output }),
  });
}

/**
 * Text unchanged, anything else as JSON. A value that JSON cannot represent becomes a note, since
 * recording must not throw into the host.
 */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch (error) {
    return `[not JSON: ${error instanceof Error ? error.message : String(error)}]`;
  }
}
