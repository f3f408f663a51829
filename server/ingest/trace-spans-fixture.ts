import { mergeSpans } from './assembly/merge-spans';
import { asTraceSpan, type TraceSpan } from './read/list-trace-spans';
import type { Span } from './span';

/** Spans in any order, as `listTraceSpans` gives those of a stored trace. */
export function traceSpansOf(spans: readonly Span[]): TraceSpan[] {
  return mergeSpans(spans).spans.map(asTraceSpan);
}
