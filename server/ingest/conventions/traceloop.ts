/**
 * OpenLLMetry's wrappers: workflows, agents, tasks and tools with the arguments and the return
 * value of a function as JSON text. `otel.ts` and `otel-legacy.ts` read its model spans.
 */
import type { Span } from '../span';
import type { ConventionPart, SpanRole } from './gen-span';
import { readMessages, readToolOutput } from './messages';
import { embedOrNull } from './otel';
import { attributeText, under, valueAt } from './read-attribute';

const ROLES = new Map<string, SpanRole>([
  ['workflow', 'chain'],
  ['task', 'chain'],
  ['agent', 'agent'],
  ['tool', 'tool'],
]);
const PROPERTIES = 'traceloop.association.properties.';

export function readTraceloop(span: Span): ConventionPart | null {
  const { attributes } = span;
  if (![...attributes.keys()].some((key) => key.startsWith('traceloop.'))) return null;
  const kind = attributeText(attributes, 'traceloop.span.kind');
  const role = kind === null ? null : (ROLES.get(kind.toLowerCase()) ?? 'other');
  const name = attributeText(attributes, 'traceloop.entity.name');
  const inputValue = valueAt(attributes, 'traceloop.entity.input');
  const outputValue = valueAt(attributes, 'traceloop.entity.output');
  const properties = under(attributes, PROPERTIES);
  const isTool = role === 'tool';
  const reported = readToolOutput(isTool ? outputValue : null);
  return {
    role,
    input: readMessages(inputValue),
    output: readMessages(outputValue),
    inputValue,
    outputValue,
    toolName: isTool ? (name ?? span.name) : null,
    toolCallId: reported.callId,
    toolArguments: isTool ? embedOrNull(inputValue) : null,
    toolResult: reported.result,
    sessionId: attributeText(properties, 'session_id', 'thread_id', 'conversation_id'),
    userId: attributeText(properties, 'user_id'),
    agentName: role === 'agent' ? name : null,
    promptName: attributeText(attributes, 'traceloop.prompt.key'),
    metadata: properties,
  };
}
