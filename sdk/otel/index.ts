/**
 * For hosts that already use OpenTelemetry: the address of their exporter, and the attributes that
 * make a trace readable as turns. Names are those of OTel's GenAI conventions, of OpenInference
 * where OTel has none (documents), and Assay's own (docs/reference/opentelemetry.md). A turn is an answer with the
 * sources of that same turn: what no span records, no figure can be traced to.
 */

/** The part of a span used here; every OpenTelemetry span fits. */
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
  /** As for `createAssay`: without `/v1/traces`. */
  url: string;
  /** A project's API key with the scope `ingest`. */
  key: string;
  /** `CompressionAlgorithm.GZIP` of the exporter's own package. */
  compression?: C;
}

/**
 * Options of an OTLP/HTTP exporter: `new OTLPTraceExporter(assayExporterOptions({ url, key }))`,
 * JSON or protobuf.
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
  /** The kind of the judged subject, when it is not a turn. */
  subjectKind?: string;
}

/**
 * Attributes of a session, for a span or, as resource attributes, for a whole process; merged with
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
  /** The model's id of the call: it connects the result with the answer that used it. */
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

/** For the span of a model call that no instrumentation records: its text is the turn's output. */
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
 * Text as it is, anything else as JSON; a value that JSON cannot represent becomes a note:
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
