/**
 * The Vercel AI SDK (`experimental_telemetry`). A call is a root span `ai.generateText` (or
 * streamText, generateObject, streamObject) with one child `.doGenerate` or `.doStream` for each
 * step and one `ai.toolCall` for each tool that ran. The root repeats the last step's text and sums
 * the steps' tokens: it is a wrapper.
 */
import type { AttributeValue, Attributes, Span } from '../span';
import type { ConventionPart, Message, SpanRole } from './gen-span';
import { embedJson, parsed, structured } from './json-value';
import { readMessages, textMessage } from './messages';
import { countAt, attributeText, attributeTexts, under, valueAt } from './read-attribute';

const METADATA = 'ai.telemetry.metadata.';

export function readAiSdk(span: Span): ConventionPart | null {
  const { attributes } = span;
  const operation =
    attributeText(attributes, 'ai.operationId') ?? (span.name.startsWith('ai.') ? span.name : null);
  if (operation === null) return null;
  const metadata = under(attributes, METADATA);
  const finish = attributeText(attributes, 'ai.response.finishReason');
  return {
    role: roleOf(operation),
    provider: attributeText(attributes, 'ai.model.provider'),
    requestModel: attributeText(attributes, 'ai.model.id'),
    responseModel: attributeText(attributes, 'ai.response.model'),
    responseId: attributeText(attributes, 'ai.response.id'),
    input: readMessages(valueAt(attributes, 'ai.prompt.messages', 'ai.prompt')),
    output: readReply(attributes),
    finishReasons: finish === null ? null : [finish],
    toolName: attributeText(attributes, 'ai.toolCall.name'),
    toolCallId: attributeText(attributes, 'ai.toolCall.id'),
    toolArguments: encoded(attributes.get('ai.toolCall.args')),
    toolResult: encoded(attributes.get('ai.toolCall.result')),
    sessionId: attributeText(metadata, 'sessionId', 'session_id', 'threadId', 'thread_id'),
    userId: attributeText(metadata, 'userId', 'user_id'),
    agentName: attributeText(attributes, 'ai.telemetry.functionId'),
    promptName: attributeText(metadata, 'promptName', 'prompt_name'),
    inputTokens: countAt(attributes, 'ai.usage.inputTokens', 'ai.usage.promptTokens'),
    outputTokens: countAt(attributes, 'ai.usage.outputTokens', 'ai.usage.completionTokens'),
    tags: attributeTexts(metadata.get('tags')),
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
  const text = attributeText(attributes, 'ai.response.text', 'ai.response.object') ?? '';
  const calls = structured(valueAt(attributes, 'ai.response.toolCalls'));
  const requestedCalls = readMessages(Array.isArray(calls) ? calls.map(typedCall) : []).flatMap(
    (message) => message.calls,
  );
  return text === '' && requestedCalls.length === 0
    ? []
    : [{ ...textMessage('assistant', text), calls: requestedCalls }];
}

function typedCall(call: AttributeValue): AttributeValue {
  return call instanceof Map ? new Map([...call, ['type', 'tool-call']]) : call;
}

/** Arguments and results are always JSON text: a plain text is quoted. */
function encoded(value: AttributeValue | undefined): string | null {
  return value === undefined || value === null ? null : embedJson(parsedText(value));
}

function parsedText(value: AttributeValue): AttributeValue {
  const text = parsed(value);
  return typeof text === 'string' ? text : value;
}
