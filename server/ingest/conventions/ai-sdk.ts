/**
 * The Vercel AI SDK (`experimental_telemetry`). A call is a root span `ai.generateText` (or
 * streamText, generateObject, streamObject) with one child `.doGenerate` or `.doStream` for each
 * step and one `ai.toolCall` for each tool that ran. The root repeats the last step's text and sums
 * the steps' tokens: it is a wrapper.
 */
import type { AttributeValue, Attributes, Span } from '../span';
import type { ConventionPart, Message, SpanRole } from './gen-span';
import { embedJson, parsed, structured } from './json-value';
import { readMessages, said } from './messages';
import { countAt, textAt, textsOf, under, valueAt } from './read-attribute';

const METADATA = 'ai.telemetry.metadata.';

export function readAiSdk(span: Span): ConventionPart | null {
  const { attributes } = span;
  const operation =
    textAt(attributes, 'ai.operationId') ?? (span.name.startsWith('ai.') ? span.name : null);
  if (operation === null) return null;
  const metadata = under(attributes, METADATA);
  const finish = textAt(attributes, 'ai.response.finishReason');
  return {
    role: roleOf(operation),
    provider: textAt(attributes, 'ai.model.provider'),
    requestModel: textAt(attributes, 'ai.model.id'),
    responseModel: textAt(attributes, 'ai.response.model'),
    responseId: textAt(attributes, 'ai.response.id'),
    input: readMessages(valueAt(attributes, 'ai.prompt.messages', 'ai.prompt')),
    output: readReply(attributes),
    finishReasons: finish === null ? null : [finish],
    toolName: textAt(attributes, 'ai.toolCall.name'),
    toolCallId: textAt(attributes, 'ai.toolCall.id'),
    toolArguments: encoded(attributes.get('ai.toolCall.args')),
    toolResult: encoded(attributes.get('ai.toolCall.result')),
    sessionId: textAt(metadata, 'sessionId', 'session_id', 'threadId', 'thread_id'),
    userId: textAt(metadata, 'userId', 'user_id'),
    agentName: textAt(attributes, 'ai.telemetry.functionId'),
    promptName: textAt(metadata, 'promptName', 'prompt_name'),
    inputTokens: countAt(attributes, 'ai.usage.inputTokens', 'ai.usage.promptTokens'),
    outputTokens: countAt(attributes, 'ai.usage.outputTokens', 'ai.usage.completionTokens'),
    tags: textsOf(metadata.get('tags')),
    metadata,
  };
}

function roleOf(operation: string): SpanRole {
  if (operation === 'ai.toolCall') return 'tool';
  if (operation.endsWith('.doGenerate') || operation.endsWith('.doStream')) return 'llm';
  if (operation.endsWith('.doEmbed')) return 'embedding';
  return /^ai\.(generate|stream)/.test(operation) ? 'chain' : 'other';
}

function readReply(attributes: Attributes): Message[] {
  const text = textAt(attributes, 'ai.response.text', 'ai.response.object') ?? '';
  const calls = structured(valueAt(attributes, 'ai.response.toolCalls'));
  const asked = readMessages(Array.isArray(calls) ? calls.map(typedCall) : []).flatMap(
    (message) => message.calls,
  );
  return text === '' && asked.length === 0 ? [] : [{ ...said('assistant', text), calls: asked }];
}

function typedCall(call: AttributeValue): AttributeValue {
  return call instanceof Map ? new Map([...call, ['type', 'tool-call']]) : call;
}

/** Arguments and results are always JSON text: a plain text is quoted. */
function encoded(value: AttributeValue | undefined): string | null {
  return value === undefined || value === null ? null : embedJson(parsedText(value));
}

function parsedText(value: AttributeValue): AttributeValue {
  const held = parsed(value);
  return typeof held === 'string' ? held : value;
}
