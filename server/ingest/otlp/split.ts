/**
 * Splits a request by trace id. `Layout` contains the positions of its parts in the bytes or text;
 * the shared parts, resource and scope, are repeated in every segment that has one of their spans,
 * and nothing is re-encoded.
 */
import { intakeLimits } from '../../domain';
import { tooLarge } from '../../platform';

/** `start` inclusive, `end` exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ScopeLayout {
  /** The fields next to the spans: scope, schema URL. */
  readonly head: ByteRange[];
  readonly spans: ByteRange[];
}

export interface ResourceLayout {
  /** The fields next to the scopes: resource, schema URL. */
  readonly head: ByteRange[];
  readonly scopes: ScopeLayout[];
}

export interface ScopePart {
  readonly head: readonly ByteRange[];
  readonly spans: ByteRange[];
}

/** One resource of one segment. */
export interface ResourcePart {
  readonly head: readonly ByteRange[];
  readonly scopes: ScopePart[];
}

/**
 * The parts of each trace, omitting spans with a null trace. `traceOf` has one entry per span, in
 * the order of the layout.
 * @throws AssayError too_large when repeating the shared parts would multiply the size
 */
export function splitByTrace(
  layout: readonly ResourceLayout[],
  traceOf: readonly (string | null)[],
): Map<string, ResourcePart[]> {
  const traces = new Map<string, Cursor>();
  let index = 0;
  let repeated = 0;
  for (const resource of layout) {
    for (const scope of resource.scopes) {
      for (const span of scope.spans) {
        const traceId = traceOf[index++];
        if (traceId === undefined || traceId === null) continue;
        const cursor = traces.get(traceId) ?? { parts: [], resource: null, scope: null };
        if (cursor.resource !== resource || cursor.scope !== scope) {
          repeated += moveTo(cursor, resource, scope);
          if (repeated > intakeLimits.repeatedBytes) {
            throw tooLarge(
              `the resource and the scope, repeated for each trace of the request, exceed ${intakeLimits.repeatedBytes} bytes; send fewer traces at once`,
            );
          }
          traces.set(traceId, cursor);
        }
        cursor.parts.at(-1)?.scopes.at(-1)?.spans.push(span);
      }
    }
  }
  return new Map([...traces].map(([traceId, { parts }]) => [traceId, parts]));
}

interface Cursor {
  readonly parts: ResourcePart[];
  resource: ResourceLayout | null;
  scope: ScopeLayout | null;
}

/** Opens the parts that enclose the next span; returns the number of bytes that they repeat. */
function moveTo(cursor: Cursor, resource: ResourceLayout, scope: ScopeLayout): number {
  let bytes = lengthOf(scope.head);
  if (cursor.resource !== resource) {
    cursor.parts.push({ head: resource.head, scopes: [] });
    bytes += lengthOf(resource.head);
  }
  cursor.parts.at(-1)?.scopes.push({ head: scope.head, spans: [] });
  cursor.resource = resource;
  cursor.scope = scope;
  return bytes;
}

export function lengthOf(places: readonly ByteRange[]): number {
  return places.reduce((sum, { start, end }) => sum + end - start, 0);
}
