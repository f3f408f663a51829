import { mergeSpans } from './assembly/merge-spans';
import { asTraceSpan, type TraceSpan } from './read/list-trace-spans';
import type { Span } from './span';

/** Converts spans, in any order, to the form that `listTraceSpans` returns for a stored trace. */
export function traceSpansOf(spans: readonly Span[]): TraceSpan[] {
  return mergeSpans(spans).spans.map(asTraceSpan);
}
