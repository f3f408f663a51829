/**
 * Laminar: input and output of a span in `lmnr.span.input` and `lmnr.span.output`, and session,
 * user, tags and metadata of the trace on every span, also on those of other instrumentations.
 * Source: lmnr-ai/lmnr-ts, packages/lmnr/src/opentelemetry-lib/tracing/attributes.ts.
 */
import type { Span } from '../span';
import type { ConventionPart, SpanRole } from './gen-span';
import { readMessages, readToolOutput } from './messages';
import { embedOrNull } from './otel';
import { attributeText, attributeTexts, under, valueAt } from './read-attribute';

const ROLES = new Map<string, SpanRole>([
  ['LLM', 'llm'],
  ['TOOL', 'tool'],
  ['EVALUATOR', 'evaluator'],
  ['HUMAN_EVALUATOR', 'evaluator'],
]);
const PROPERTIES = 'lmnr.association.properties.';

export function readLaminar(span: Span): ConventionPart | null {
  const { attributes } = span;
  if (![...attributes.keys()].some((key) => key.startsWith('lmnr.'))) return null;
  const type = attributeText(attributes, 'lmnr.span.type');
  const input = valueAt(attributes, 'lmnr.span.input');
  const output = valueAt(attributes, 'lmnr.span.output');
  // Spans of other instrumentations have neither a type nor content of Laminar's own.
  const isOwn = type !== null || input !== null || output !== null;
  const role = isOwn ? (ROLES.get((type ?? '').toUpperCase()) ?? 'chain') : null;
  const properties = under(attributes, PROPERTIES);
  const isTool = role === 'tool';
  const reported = readToolOutput(isTool ? output : null);
  return {
    role,
    input: isTool ? [] : readMessages(input),
    output: isTool ? [] : readMessages(output),
    inputValue: input,
    outputValue: output,
    toolName: isTool ? span.name : null,
    toolCallId: reported.callId,
    toolArguments: isTool ? embedOrNull(input) : null,
    toolResult: reported.result,
    sessionId: attributeText(properties, 'session_id'),
    userId: attributeText(properties, 'user_id'),
    tags: attributeTexts(properties.get('tags')),
    metadata: under(properties, 'metadata.'),
  };
}
