import { intakeLimits } from '../../domain';
import { tooLarge } from '../../platform';

/**
 * What the first look at a request finds: which trace each span belongs to, in the order of the
 * request, and which spans are bad.
 */
export interface Tally {
  /** One entry a span: its trace id, or null for one that is rejected. */
  readonly traceOf: (string | null)[];
  readonly traces: Map<string, TraceTally>;
  readonly faults: { readonly index: number; readonly message: string }[];
  /** The trace counted last: most requests have one, or their spans in runs. */
  last: { readonly traceId: string; readonly counts: TraceTally } | null;
}

interface TraceTally {
  spans: number;
  hasRoot: boolean;
}

export function createTally(): Tally {
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
