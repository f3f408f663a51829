import type { BenchSpan } from './spans';

/** Wire types of protobuf. */
const varintType = 0;
const fixed64Type = 1;
const lengthType = 2;

/** An ExportTraceServiceRequest as protobuf, of the same spans as `spansJson` writes. */
export function spansProto(spans: readonly BenchSpan[]): Buffer {
  const resource = field(1, attribute('service.name', 'ops-assistant'));
  const scope = Buffer.concat([text(1, 'bench'), text(2, '1.0.0')]);
  const scopeSpans = Buffer.concat([
    field(1, scope),
    ...spans.map((span) => field(2, spanMessage(span))),
  ]);
  return field(1, Buffer.concat([field(1, resource), field(2, scopeSpans)]));
}

function spanMessage(span: BenchSpan): Buffer {
  return Buffer.concat([
    field(1, Buffer.from(span.traceId, 'hex')),
    field(2, Buffer.from(span.spanId, 'hex')),
    ...(span.parentSpanId === '' ? [] : [field(4, Buffer.from(span.parentSpanId, 'hex'))]),
    text(5, span.name),
    varint(6, 3n),
    fixed64(7, span.startNs),
    fixed64(8, span.startNs + 1_000_000n),
    ...span.attributes.map(([key, value]) => field(9, attribute(key, value))),
    field(15, Buffer.alloc(0)),
  ]);
}

function attribute(key: string, value: string | number): Buffer {
  const inner = typeof value === 'string' ? text(1, value) : varint(3, BigInt(value));
  return Buffer.concat([text(1, key), field(2, inner)]);
}

function text(number: number, value: string): Buffer {
  return field(number, Buffer.from(value));
}

function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([
    digits(BigInt((number << 3) | lengthType)),
    digits(BigInt(value.length)),
    value,
  ]);
}

function varint(number: number, value: bigint): Buffer {
  return Buffer.concat([digits(BigInt((number << 3) | varintType)), digits(value)]);
}

function fixed64(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([digits(BigInt((number << 3) | fixed64Type)), bytes]);
}

/** Seven bits per byte, lowest first; the top bit indicates that another byte follows. */
function digits(value: bigint): Buffer {
  const bytes: number[] = [];
  let remaining = value;
  do {
    const low = Number(remaining & 0x7fn);
    remaining >>= 7n;
    bytes.push(remaining > 0n ? low | 0x80 : low);
  } while (remaining > 0n);
  return Buffer.from(bytes);
}
