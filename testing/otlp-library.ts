/**
 * For tests: OTLP in both encodings from one description. Protobuf is encoded by the library and
 * the schema below, so that the reader is tested against independent code.
 */
import protobuf from 'protobufjs';

const schema = `
syntax = "proto3";
message AnyValue { oneof value { string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4;
  ArrayValue arrayValue = 5; KeyValueList kvlistValue = 6; bytes bytesValue = 7; } }
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }
message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 droppedAttributesCount = 4; }
message Resource { repeated KeyValue attributes = 1; uint32 droppedAttributesCount = 2; }
message Event { fixed64 timeUnixNano = 1; string name = 2; repeated KeyValue attributes = 3; uint32 droppedAttributesCount = 4; }
message Link { bytes traceId = 1; bytes spanId = 2; string traceState = 3; repeated KeyValue attributes = 4; }
message Status { string message = 2; int32 code = 3; }
message Span { bytes traceId = 1; bytes spanId = 2; string traceState = 3; bytes parentSpanId = 4; string name = 5; int32 kind = 6;
  fixed64 startTimeUnixNano = 7; fixed64 endTimeUnixNano = 8; repeated KeyValue attributes = 9; uint32 droppedAttributesCount = 10;
  repeated Event events = 11; uint32 droppedEventsCount = 12; repeated Link links = 13; uint32 droppedLinksCount = 14;
  Status status = 15; fixed32 flags = 16; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schemaUrl = 3; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; string schemaUrl = 3; }
message ExportTraceServiceRequest { repeated ResourceSpans resourceSpans = 1; }
message PartialSuccess { int64 rejectedSpans = 1; string errorMessage = 2; }
message ExportTraceServiceResponse { PartialSuccess partialSuccess = 1; }
message RpcStatus { int32 code = 1; string message = 2; }
`;

// Tests send deeper nesting than the library would encode.
Object.assign(protobuf.util, { recursionLimit: 10_000 });

const { root } = protobuf.parse(schema, { keepCase: true });
const idFields: readonly string[] = ['traceId', 'spanId', 'parentSpanId'];

/** An object of OTLP/JSON as protobuf: ids from hex, everything else as the library accepts it. */
export function encodeProto(request: object): Buffer {
  const type = root.lookupType('ExportTraceServiceRequest');
  return Buffer.from(type.encode(type.fromObject(withIdBytes(request))).finish());
}

/** A message of the schema as a plain object, 64-bit integers as strings. */
export function decodeMessage(
  name: 'ExportTraceServiceResponse' | 'RpcStatus',
  bytes: Buffer,
): object {
  const type = root.lookupType(name);
  return type.toObject(type.decode(bytes), { longs: String });
}

function withIdBytes(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      idFields.includes(name) ? idBytes(member) : inner(member),
    ]),
  );
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner);
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value)
    ? withIdBytes(value)
    : value;
}

function idBytes(value: unknown): Buffer {
  return typeof value === 'string' ? Buffer.from(value, 'hex') : Buffer.alloc(0);
}
