/**
 * Responses of OTLP/HTTP, in the encoding of the request: ExportTraceServiceResponse
 * (trace_service.proto) and its counterparts of logs and metrics, whose fields have the same
 * numbers, with 200, google.rpc.Status (status.proto) with any other code.
 */
import protobuf from 'protobufjs/minimal.js';
import type { SegmentFormat } from './segment';

/**
 * gRPC codes, which a Status contains.
 * @internal Only tests use it.
 */
export const statusCodes = {
  invalidArgument: 3,
  permissionDenied: 7,
  resourceExhausted: 8,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The name of the count of rejected items in the response, by signal. */
const rejectedFields = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
} as const;

export type OtlpSignal = keyof typeof rejectedFields;

/**
 * 200 if everything was accepted except `rejected` items, which must not be resent. A message
 * without rejections is a warning. Without rejections and message there is no partial success.
 */
export function exportAnswer(
  format: SegmentFormat,
  answer: { readonly rejected: number; readonly message: string | null },
  signal: OtlpSignal = 'traces',
): Buffer {
  const message = (answer.message ?? '').toWellFormed();
  const partial = answer.rejected > 0 || message !== '';
  if (format === 'json') {
    const partialSuccess = {
      ...(answer.rejected > 0 ? { [rejectedFields[signal]]: String(answer.rejected) } : {}),
      ...(message === '' ? {} : { errorMessage: message }),
    };
    return Buffer.from(JSON.stringify(partial ? { partialSuccess } : {}));
  }
  const writer = protobuf.Writer.create();
  if (partial) {
    writer.uint32(0x0a).fork();
    if (answer.rejected > 0) writer.uint32(0x08).int64(answer.rejected);
    if (message !== '') writer.uint32(0x12).string(message);
    writer.ldelim();
  }
  return Buffer.from(writer.finish());
}

export function statusAnswer(format: SegmentFormat, code: number, message: string): Buffer {
  if (format === 'json') return Buffer.from(JSON.stringify({ code, message }));
  return Buffer.from(
    protobuf.Writer.create()
      .uint32(0x08)
      .int32(code)
      .uint32(0x12)
      .string(message.toWellFormed())
      .finish(),
  );
}
