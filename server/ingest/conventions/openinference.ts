/**
 * OpenInference: every span has `openinference.span.kind`; messages, calls and documents are
 * flattened into numbered keys. Source: Arize-ai/openinference, spec/semantic_conventions.md.
 */
import type { Attributes, AttributeValue, Span } from '../span';
import type { ConventionPart, Message, RetrievedDocument, SpanRole } from './gen-span';
import { embedJson, structured } from './json-value';
import { readMessage, readMessages, readToolOutput } from './messages';
import { embedOrNull } from './otel';
import {
  amountAt,
  countAt,
  itemsUnder,
  membersOf,
  attributeText,
  textOf,
  attributeTexts,
  under,
  valueAt,
} from './read-attribute';

const ROLES = new Map<string, SpanRole>([
  ['LLM', 'llm'],
  ['TOOL', 'tool'],
  ['AGENT', 'agent'],
  ['CHAIN', 'chain'],
  ['RETRIEVER', 'retriever'],
  ['RERANKER', 'retriever'],
  ['EMBEDDING', 'embedding'],
  ['EVALUATOR', 'evaluator'],
  ['GUARDRAIL', 'other'],
]);

/** The placeholder its clients send for content that they are configured to hide. */
const HIDDEN = '__REDACTED__';

export function readOpenInference(span: Span): ConventionPart | null {
  const kind = attributeText(span.attributes, 'openinference.span.kind');
  const flattened = [...span.attributes.keys()].some(
    (key) => key.startsWith('llm.input_messages.') || key.startsWith('llm.output_messages.'),
  );
  if (kind === null && !flattened) return null;
  const attributes = withoutHidden(span.attributes);
  const role = kind === null ? 'llm' : (ROLES.get(kind.toUpperCase()) ?? 'other');
  const inputValue = valueAt(attributes, 'input.value');
  const outputValue = valueAt(attributes, 'output.value');
  const output = flatMessages(attributes, 'llm.output_messages.');
  const isTool = role === 'tool';
  const reported = readToolOutput(isTool ? outputValue : null);
  return {
    role,
    provider: attributeText(attributes, 'llm.provider', 'llm.system'),
    requestModel: attributeText(
      attributes,
      'llm.model_name',
      'llm.request.model_name',
      'embedding.model_name',
    ),
    responseModel: attributeText(attributes, 'llm.response.model_name'),
    input: moreComplete(flatMessages(attributes, 'llm.input_messages.'), readMessages(inputValue)),
    output: output.length > 0 ? output : readMessages(outputValue),
    inputValue,
    outputValue,
    finishReasons: reasons(attributes, outputValue),
    toolName: attributeText(attributes, 'tool.name') ?? (isTool ? span.name : null),
    toolCallId: attributeText(attributes, 'tool_call.id', 'tool.id') ?? reported.callId,
    toolArguments: isTool
      ? embedOrNull(
          valueAt(attributes, 'input.value', 'tool_call.function.arguments', 'tool.parameters'),
        )
      : null,
    toolResult: reported.result,
    documents: [
      ...documents(attributes, 'retrieval.documents.'),
      ...documents(attributes, 'reranker.output_documents.'),
    ],
    sessionId: attributeText(attributes, 'session.id'),
    userId: attributeText(attributes, 'user.id'),
    agentName: attributeText(attributes, 'agent.name', 'graph.node.name'),
    promptName: attributeText(attributes, 'prompt.id', 'prompt.name'),
    inputTokens: countAt(attributes, 'llm.token_count.prompt'),
    outputTokens: countAt(attributes, 'llm.token_count.completion'),
    costUsd: amountAt(attributes, 'llm.cost.total'),
    tags: attributeTexts(attributes.get('tag.tags')),
    metadata: membersOf(attributes.get('metadata')),
  };
}

function withoutHidden(attributes: Attributes): Attributes {
  return new Map([...attributes].filter(([, value]) => value !== HIDDEN));
}

/**
 * The flattened messages, unless the request in `input.value` has more results with their call ids:
 * some instrumentations flatten only the last of several results, or omit the ids.
 */
function moreComplete(flat: readonly Message[], complete: readonly Message[]): readonly Message[] {
  return flat.length > 0 && knownResults(flat) >= knownResults(complete) ? flat : complete;
}

function knownResults(messages: readonly Message[]): number {
  return messages.flatMap(({ results }) => results).filter(({ callId }) => callId !== null).length;
}

function flatMessages(attributes: Attributes, prefix: string): Message[] {
  return itemsUnder(attributes, prefix).flatMap((item) => {
    const sent = under(item, 'message.');
    const members = new Map<string, AttributeValue>(sent);
    const parts = itemsUnder(sent, 'contents.').map(flatPart);
    if (parts.length > 0) members.set('content', withResult(sent, members, parts));
    const calls = itemsUnder(sent, 'tool_calls.').map(flatCall);
    if (calls.length > 0) members.set('tool_calls', calls);
    const legacy = attributeText(sent, 'function_call_name');
    if (legacy !== null)
      members.set('tool_calls', [
        flatFunction(legacy, sent.get('function_call_arguments_json') ?? null),
      ]);
    return members.size === 0 ? [] : (readMessage(members) ?? []);
  });
}

type Flat = ReadonlyMap<string, AttributeValue>;

/** A part of the content; that of a call has the call's own keys. */
function flatPart(sent: Flat): Flat {
  const isCall = [...sent.keys()].some((key) => key.startsWith('tool_call.'));
  return isCall
    ? new Map([...under(sent, 'message_content.'), ...flatCall(sent)])
    : under(sent, 'message_content.');
}

/**
 * Anthropic sends a tool's result and further text in one message: the result is flattened into the
 * message's own content, the text into parts.
 */
function withResult(sent: Flat, members: Map<string, AttributeValue>, parts: Flat[]): Flat[] {
  const id = sent.get('tool_call_id') ?? null;
  const content = sent.get('content') ?? null;
  if (id === null || content === null) return parts;
  members.delete('tool_call_id');
  const result = new Map<string, AttributeValue>([
    ['type', 'tool_result'],
    ['tool_use_id', id],
    ['content', structuredParts(content)],
  ]);
  return [result, ...parts];
}

/** The content of a result may be JSON text of a list of parts. */
function structuredParts(content: AttributeValue): AttributeValue {
  const parts = structured(content);
  return Array.isArray(parts) ? parts : content;
}

function flatCall(sent: ReadonlyMap<string, AttributeValue>): ReadonlyMap<string, AttributeValue> {
  const call = under(sent, 'tool_call.');
  const members = new Map(
    flatFunction(
      attributeText(call, 'function.name') ?? '',
      call.get('function.arguments') ?? null,
    ),
  );
  const id = attributeText(call, 'id');
  return id === null ? members : members.set('id', id);
}

function flatFunction(name: string, args: AttributeValue): Map<string, AttributeValue> {
  return new Map<string, AttributeValue>([
    ['name', name],
    ['arguments', args],
  ]);
}

/**
 * `output.value` contains the provider's reply, and most clients report the finish reason only
 * there.
 */
function reasons(attributes: Attributes, outputValue: AttributeValue): string[] {
  const reasons = attributeTexts(attributes.get('llm.finish_reason'));
  if (reasons.length > 0) return reasons;
  const choices = structured(membersOf(outputValue)?.get('choices') ?? null);
  return (Array.isArray(choices) ? choices : []).flatMap((choice: AttributeValue) => {
    const reason = membersOf(choice)?.get('finish_reason');
    return textOf(reason) ?? [];
  });
}

function documents(attributes: Attributes, prefix: string): RetrievedDocument[] {
  return itemsUnder(attributes, prefix).flatMap((item) => {
    const content = valueAt(item, 'document.content');
    return content === null
      ? []
      : [{ id: attributeText(item, 'document.id'), content: embedJson(content) }];
  });
}
