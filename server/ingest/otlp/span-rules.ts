/**
 * Rules for both encodings (OTLP 1.x, trace.proto and common.proto; specification: trace ids of 16
 * bytes and span ids of 8, not all zero; enumerations are open, so an unknown number counts as
 * unset).
 *
 * Depth is counted in values: a scalar has 0, an array or a key-value list one more than the
 * deepest value in it. The same data therefore has the same depth in both encodings, however many
 * objects or messages wrap a value.
 */
import { intakeLimits } from '../../domain';

export const faults = {
  traceId: 'traceId must be 32 hex digits (16 bytes), not all of them zero',
  spanId: 'spanId must be 16 hex digits (8 bytes), not all of them zero',
  parentSpanId: 'parentSpanId: 16 hex digits (8 bytes) or nothing',
  logTraceId: 'traceId: 32 hex digits (16 bytes) or nothing',
  logSpanId: 'spanId: 16 hex digits (8 bytes) or nothing',
  depth: `a value nests deeper than ${intakeLimits.depth}`,
} as const;

const zeroTrace = '0'.repeat(32);
const zeroSpan = '0'.repeat(16);
const lowerTrace = /^[0-9a-f]{32}$/;
const lowerSpan = /^[0-9a-f]{16}$/;

/** The id in lower case, or null when it is invalid. */
export function traceIdOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length !== 32) return null;
  const id = lowerTrace.test(value) ? value : value.toLowerCase();
  return id !== zeroTrace && lowerTrace.test(id) ? id : null;
}

/** The id in lower case, or null when it is invalid. */
export function spanIdOf(value: unknown): string | null {
  const id = anySpanId(value);
  return id === zeroSpan ? null : id;
}

/** '' for no parent (including all zero), or null when it is invalid. */
export function parentIdOf(value: unknown): string | null {
  return isNoParent(value) ? '' : anySpanId(value);
}

/** Expects a valid parent id. */
export function isNoParent(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === zeroSpan;
}

function anySpanId(value: unknown): string | null {
  if (typeof value !== 'string' || value.length !== 16) return null;
  if (lowerSpan.test(value)) return value;
  const id = value.toLowerCase();
  return lowerSpan.test(id) ? id : null;
}

/**
 * Span flags: bit 8 means that bit 9 is set deliberately, bit 9 that the parent is in another
 * process.
 */
export function parentIsRemote(flags: number): boolean {
  return (flags & 0x300) === 0x300;
}

/** SpanKind 0 to 5. */
export function spanKindOf(value: number): number {
  return value >= 0 && value <= 5 ? value : 0;
}

/** Status code 0 to 2. */
export function statusCodeOf(value: number): number {
  return value >= 0 && value <= 2 ? value : 0;
}

/** Thrown inside a message: its bytes are valid, so it rejects spans and never the body. */
export class TooDeep extends Error {
  override readonly message = faults.depth;
}
