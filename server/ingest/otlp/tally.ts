import { intakeLimits } from '../../domain';
import { tooLarge } from '../../platform';

/**
 * The result of the first pass over a request: the trace of each span, in the order of the request,
 * and the bad spans.
 */
export interface Tally {
  /** One entry per span: its trace id, or null if it is rejected. */
  readonly traceOf: (string | null)[];
  readonly traces: Map<string, TraceTally>;
  readonly faults: { readonly index: number; readonly message: string }[];
  /** The trace counted last: most requests have one trace, or runs of spans of the same one. */
  last: { readonly traceId: string; readonly counts: TraceTally } | null;
}

interface TraceTally {
  spans: number;
  hasRoot: boolean;
}

export function createSpanTally(): Tally {
  return { traceOf: [], traces: new Map(), faults: [], last: null };
}

/** @throws AssayError too_large */
export function countSpan(tally: Tally, traceId: string, isRoot: boolean): void {
  checkRoom(tally);
  tally.traceOf.push(traceId);
  if (tally.last?.traceId !== traceId) tally.last = { traceId, counts: openTrace(tally, traceId) };
  const { counts } = tally.last;
  counts.spans++;
  if (isRoot) counts.hasRoot = true;
}

function openTrace(tally: Tally, traceId: string): TraceTally {
  const found = tally.traces.get(traceId);
  if (found !== undefined) return found;
  const counts = { spans: 0, hasRoot: false };
  tally.traces.set(traceId, counts);
  return counts;
}

/** @throws AssayError too_large */
export function countFault(tally: Tally, message: string): void {
  checkRoom(tally);
  tally.faults.push({ index: tally.traceOf.length, message });
  tally.traceOf.push(null);
}

function checkRoom(tally: Tally): void {
  if (tally.traceOf.length >= intakeLimits.spansPerRequest)
    throw tooLarge(
      `the request has more than ${intakeLimits.spansPerRequest} spans; send fewer at once`,
    );
}
