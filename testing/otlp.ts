/**
 * OTLP in both encodings from one description, as clients send it. Protobuf is written field by
 * field with the library's Writer (opentelemetry/proto: trace/v1/trace.proto,
 * common/v1/common.proto), so that it shares no code with the tested reader.
 */
import { createHash } from 'node:crypto';
import protobuf from 'protobufjs/minimal.js';

export type OtlpFormat = 'json' | 'proto';
export const otlpFormats: readonly OtlpFormat[] = ['json', 'proto'];
export const contentTypes: Readonly<Record<OtlpFormat, string>> = {
  json: 'application/json',
  proto: 'application/x-protobuf',
};

export interface OtlpValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly OtlpValue[] };
  readonly kvlistValue?: { readonly values: readonly OtlpPair[] };
}

export interface OtlpPair {
  readonly key: string;
  readonly value: OtlpValue;
}

export interface OtlpEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes?: readonly OtlpPair[];
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpPair[];
  readonly events?: readonly OtlpEvent[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

/** A span, or its JSON text as it appears in the request. */
export type JsonSpan = OtlpSpan | string;
/** A span, or the bytes of its message as they appear in the request. */
export type ProtoSpan = OtlpSpan | Buffer;

const service: readonly OtlpPair[] = [{ key: 'service.name', value: { stringValue: 'harness' } }];

/** An ExportTraceServiceRequest with one resource and one scope. */
export function exportJson(
  spans: readonly JsonSpan[],
  resource: readonly OtlpPair[] = service,
): string {
  const texts = spans.map((span) => (typeof span === 'string' ? span : JSON.stringify(span)));
  const head = `"resource":${JSON.stringify({ attributes: resource })}`;
  return `{"resourceSpans":[{${head},"scopeSpans":[{"scope":{"name":"harness","version":"1"},"spans":[${texts.join(',')}]}]}]}`;
}

/** The same in protobuf. */
export function exportProto(
  spans: readonly ProtoSpan[],
  resource: readonly OtlpPair[] = service,
): Buffer {
  const writer = protobuf.Writer.create();
  writer.uint32(0x0a).fork();
  writer.uint32(0x0a).fork();
  writePairs(writer, 0x0a, resource);
  writer.ldelim();
  writer.uint32(0x12).fork();
  writer.uint32(0x0a).fork().uint32(0x0a).string('harness').uint32(0x12).string('1').ldelim();
  for (const span of spans) {
    if (Buffer.isBuffer(span)) writer.uint32(0x12).bytes(span);
    else {
      writer.uint32(0x12).fork();
      writeSpan(writer, span);
      writer.ldelim();
    }
  }
  writer.ldelim().ldelim();
  return Buffer.from(writer.finish());
}

export function exportOf(
  format: OtlpFormat,
  spans: readonly OtlpSpan[],
  resource?: readonly OtlpPair[],
): Buffer {
  return format === 'json'
    ? Buffer.from(exportJson(spans, resource))
    : exportProto(spans, resource);
}

export interface OtlpLog {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly timeUnixNano?: string;
  readonly observedTimeUnixNano?: string;
  readonly eventName?: string;
  readonly body?: OtlpValue;
  readonly attributes?: readonly OtlpPair[];
}

/** An ExportLogsServiceRequest with one resource and one scope. */
export function logsOf(
  format: OtlpFormat,
  records: readonly (OtlpLog | Buffer)[],
  resource: readonly OtlpPair[] = service,
): Buffer {
  const scope = { name: 'harness', version: '1' };
  if (format === 'json') {
    const texts = records.map((record) =>
      Buffer.isBuffer(record) ? record.toString() : JSON.stringify(record),
    );
    const head = `"resource":${JSON.stringify({ attributes: resource })}`;
    return Buffer.from(
      `{"resourceLogs":[{${head},"scopeLogs":[{"scope":${JSON.stringify(scope)},"logRecords":[${texts.join(',')}]}]}]}`,
    );
  }
  const writer = protobuf.Writer.create();
  writer.uint32(0x0a).fork();
  writer.uint32(0x0a).fork();
  writePairs(writer, 0x0a, resource);
  writer.ldelim();
  writer.uint32(0x12).fork();
  writer.uint32(0x0a).fork().uint32(0x0a).string(scope.name).uint32(0x12).string('1').ldelim();
  for (const record of records)
    writer.uint32(0x12).bytes(Buffer.isBuffer(record) ? record : logMessage(record));
  writer.ldelim().ldelim();
  return Buffer.from(writer.finish());
}

/** The message of a single log record. */
function logMessage(record: OtlpLog): Buffer {
  const writer = protobuf.Writer.create();
  const { timeUnixNano, observedTimeUnixNano, body, traceId, spanId, eventName } = record;
  if (timeUnixNano !== undefined) writer.uint32(0x09).fixed64(timeUnixNano);
  if (observedTimeUnixNano !== undefined) writer.uint32(0x59).fixed64(observedTimeUnixNano);
  writer.uint32(0x10).int32(9).uint32(0x1a).string('INFO');
  if (body !== undefined) {
    writer.uint32(0x2a).fork();
    writeValue(writer, body);
    writer.ldelim();
  }
  writePairs(writer, 0x32, record.attributes ?? []);
  writer.uint32(0x45).fixed32(1);
  if (traceId !== undefined) writer.uint32(0x4a).bytes(Buffer.from(traceId, 'hex'));
  if (spanId !== undefined) writer.uint32(0x52).bytes(Buffer.from(spanId, 'hex'));
  if (eventName !== undefined) writer.uint32(0x62).string(eventName);
  return Buffer.from(writer.finish());
}

/** The message of a single span. */
export function spanMessage(span: OtlpSpan): Buffer {
  const writer = protobuf.Writer.create();
  writeSpan(writer, span);
  return Buffer.from(writer.finish());
}

/** Accepts ids of any hex: wrong lengths are sent unchanged. */
function writeSpan(writer: protobuf.Writer, span: OtlpSpan): void {
  writer
    .uint32(0x0a)
    .bytes(Buffer.from(span.traceId, 'hex'))
    .uint32(0x12)
    .bytes(Buffer.from(span.spanId, 'hex'));
  if (span.parentSpanId !== undefined)
    writer.uint32(0x22).bytes(Buffer.from(span.parentSpanId, 'hex'));
  writer.uint32(0x2a).string(span.name);
  if (span.kind !== undefined) writer.uint32(0x30).int32(span.kind);
  writer.uint32(0x39).fixed64(span.startTimeUnixNano).uint32(0x41).fixed64(span.endTimeUnixNano);
  writePairs(writer, 0x4a, span.attributes);
  for (const event of span.events ?? []) {
    writer
      .uint32(0x5a)
      .fork()
      .uint32(0x09)
      .fixed64(event.timeUnixNano)
      .uint32(0x12)
      .string(event.name);
    writePairs(writer, 0x1a, event.attributes ?? []);
    writer.ldelim();
  }
  for (const link of span.links ?? []) {
    writer.uint32(0x6a).fork().uint32(0x0a).bytes(Buffer.from(link.traceId, 'hex'));
    writer.uint32(0x12).bytes(Buffer.from(link.spanId, 'hex')).ldelim();
  }
  if (span.status === undefined) return;
  writer.uint32(0x7a).fork();
  if (span.status.message !== undefined) writer.uint32(0x12).string(span.status.message);
  if (span.status.code !== undefined) writer.uint32(0x18).int32(span.status.code);
  writer.ldelim();
}

function writePairs(writer: protobuf.Writer, tag: number, pairs: readonly OtlpPair[]): void {
  for (const { key, value } of pairs) {
    writer.uint32(tag).fork().uint32(0x0a).string(key).uint32(0x12).fork();
    writeValue(writer, value);
    writer.ldelim().ldelim();
  }
}

function writeValue(writer: protobuf.Writer, value: OtlpValue): void {
  if (value.stringValue !== undefined) writer.uint32(0x0a).string(value.stringValue);
  if (value.boolValue !== undefined) writer.uint32(0x10).bool(value.boolValue);
  if (value.intValue !== undefined) writer.uint32(0x18).int64(value.intValue);
  if (value.doubleValue !== undefined) writer.uint32(0x21).double(value.doubleValue);
  if (value.arrayValue !== undefined) {
    writer.uint32(0x2a).fork();
    for (const item of value.arrayValue.values) {
      writer.uint32(0x0a).fork();
      writeValue(writer, item);
      writer.ldelim();
    }
    writer.ldelim();
  }
  if (value.kvlistValue !== undefined) {
    writer.uint32(0x32).fork();
    writePairs(writer, 0x0a, value.kvlistValue.values);
    writer.ldelim();
  }
}

/** `partialSuccess` of an OTLP response of any signal; null if there is none. */
export function readAnswer(
  format: OtlpFormat,
  bytes: Buffer,
): { readonly rejected: number; readonly message: string } | null {
  if (format === 'json') {
    const { partialSuccess, ...rest } = JSON.parse(bytes.toString()) as {
      partialSuccess?: {
        rejectedSpans?: string;
        rejectedLogRecords?: string;
        errorMessage?: string;
      };
    };
    if (Object.keys(rest).length > 0)
      throw new Error(`members that no answer has: ${Object.keys(rest).join()}`);
    if (partialSuccess === undefined) return null;
    return {
      rejected: Number(partialSuccess.rejectedSpans ?? partialSuccess.rejectedLogRecords ?? 0),
      message: partialSuccess.errorMessage ?? '',
    };
  }
  if (bytes.length === 0) return null;
  const reader = protobuf.Reader.create(bytes);
  if (reader.uint32() !== 0x0a) throw new Error('no partial_success');
  const end = reader.uint32() + reader.pos;
  let rejected = 0;
  let message = '';
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 0x08) rejected = Number(reader.int64());
    else if (tag === 0x12) message = reader.string();
    else throw new Error(`a field that no answer has: tag ${tag}`);
  }
  return { rejected, message };
}

/** A google.rpc.Status: `code` is gRPC's. */
export function readStatus(
  format: OtlpFormat,
  bytes: Buffer,
): { readonly code: number; readonly message: string } {
  if (format === 'json') return JSON.parse(bytes.toString()) as { code: number; message: string };
  const reader = protobuf.Reader.create(bytes);
  let code = 0;
  let message = '';
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === 0x08) code = reader.int32();
    else if (tag === 0x12) message = reader.string();
    else throw new Error(`a field that no Status has: tag ${tag}`);
  }
  return { code, message };
}

/** A trace id derived from a label; `spanIdOf` derives a span id from a position. */
export function traceIdOf(label: string): string {
  return createHash('sha256').update(label).digest('hex').slice(0, 32);
}
export function spanIdOf(place: number): string {
  return (place + 1).toString(16).padStart(16, '0');
}

const dawnNs = 1_767_225_600_000_000_000n;

export function nsAfter(ms: number): string {
  return String(dawnNs + BigInt(Math.round(ms * 1_000_000)));
}

export const text = (key: string, stringValue: string): OtlpPair => ({
  key,
  value: { stringValue },
});

/** A span that verifiers ignore, 5 ms long, a child of the trace's first span. */
export function plainSpan(
  label: string,
  place: number,
  attributes: readonly OtlpPair[] = [],
): OtlpSpan {
  return {
    traceId: traceIdOf(label),
    spanId: spanIdOf(place),
    ...(place === 0 ? {} : { parentSpanId: spanIdOf(0) }),
    name: place === 0 ? 'agent' : `step ${place}`,
    kind: 1,
    startTimeUnixNano: nsAfter(place * 10),
    endTimeUnixNano: nsAfter(place * 10 + 5),
    attributes,
  };
}

/**
 * A whole trace of at least 3 spans: a root, steps, a tool, and the model's answer with one figure
 * that the tool returned and one that it did not. Its only turn is `sampleTurnId`.
 */
export function sampleSpans(
  label: string,
  count = 3,
  answer = 'The disk of web-1 is at 91.4% and 77 GB are free.',
): OtlpSpan[] {
  const steps = Array.from({ length: count - 2 }, (_, place) =>
    plainSpan(label, place, [text('step.note', `number ${place} of ${label}`)]),
  );
  const tool = plainSpan(label, count - 2, [
    text('gen_ai.operation.name', 'execute_tool'),
    text('gen_ai.tool.name', 'disk'),
    text('gen_ai.tool.call.id', 'call_1'),
    text('gen_ai.tool.call.result', '{"rows":[{"host":"web-1","disk_pct":91.4}]}'),
  ]);
  const chat = plainSpan(label, count - 1, [
    text('gen_ai.operation.name', 'chat'),
    text('gen_ai.provider.name', 'openai'),
    text('gen_ai.response.model', 'gpt-4o'),
    text('gen_ai.conversation.id', `s-${label}`),
    { key: 'gen_ai.usage.input_tokens', value: { intValue: 900 } },
    text(
      'gen_ai.input.messages',
      '[{"role":"user","parts":[{"type":"text","content":"How full is web-1?"}]}]',
    ),
    text(
      'gen_ai.output.messages',
      JSON.stringify([
        { role: 'assistant', parts: [{ type: 'text', content: answer }], finish_reason: 'stop' },
      ]),
    ),
  ]);
  return [...steps, tool, chat];
}

export function sampleTurnId(label: string, count = 3): string {
  return `${traceIdOf(label)}-${spanIdOf(count - 1)}`;
}
