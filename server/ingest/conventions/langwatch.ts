/**
 * LangWatch: the kind of a span in `langwatch.span.type`, and input, output and metrics as JSON
 * text of `{"type", "value"}`; the type shows only how the value was created. Source:
 * langwatch/langwatch, typescript-sdk/src/observability-sdk/span/implementation.ts and
 * semconv/attributes.ts.
 */
import type { Attributes, AttributeValue, Span } from '../span';
import type { ConventionPart, SpanRole } from './gen-span';
import { readMessages, readToolOutput } from './messages';
import { embedOrNull, readDocuments } from './otel';
import { amountAt, attributeText, attributeTexts, countAt, membersOf } from './read-attribute';

const ROLES = new Map<string, SpanRole>([
  ['llm', 'llm'],
  ['tool', 'tool'],
  ['agent', 'agent'],
  ['rag', 'retriever'],
  ['evaluation', 'evaluator'],
  ['guardrail', 'evaluator'],
]);

export function readLangWatch(span: Span): ConventionPart | null {
  const { attributes } = span;
  if (![...attributes.keys()].some((key) => key.startsWith('langwatch.'))) return null;
  const type = attributeText(attributes, 'langwatch.span.type');
  const input = typedValue(attributes, 'langwatch.input');
  const output = typedValue(attributes, 'langwatch.output');
  const metrics =
    membersOf(typedValue(attributes, 'langwatch.metrics')) ?? new Map<string, AttributeValue>();
  const role = type === null ? null : (ROLES.get(type) ?? 'chain');
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
    documents: readDocuments(typedValue(attributes, 'langwatch.contexts')),
    sessionId: attributeText(attributes, 'langwatch.thread.id'),
    userId: attributeText(attributes, 'langwatch.user.id'),
    promptName: attributeText(attributes, 'langwatch.prompt.handle', 'langwatch.prompt.id'),
    inputTokens: countAt(metrics, 'promptTokens', 'prompt_tokens'),
    outputTokens: countAt(metrics, 'completionTokens', 'completion_tokens'),
    costUsd: amountAt(metrics, 'cost'),
    tags: attributeTexts(attributes.get('langwatch.labels')),
  };
}

/** The member `value` of `{"type", "value"}`; anything else as is. */
function typedValue(attributes: Attributes, key: string): AttributeValue {
  const sent = attributes.get(key) ?? null;
  const members = membersOf(sent);
  return members?.has('type') === true && members.has('value')
    ? (members.get('value') ?? null)
    : sent;
}
