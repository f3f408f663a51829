/**
 * OpenTelemetry's current GenAI conventions: `gen_ai.input.messages` and `gen_ai.output.messages`
 * contain messages of typed parts, as JSON text or as structured values, on the span or on its
 * event `gen_ai.client.inference.operation.details`. Source:
 * open-telemetry/semantic-conventions-genai, docs/gen-ai.
 */
import type { Attributes, AttributeValue, Span } from '../span';
import type { ConventionPart, Message, RetrievedDocument, SpanRole } from './gen-span';
import { embedJson, isList, isMap, structured } from './json-value';
import { unwrapLangChain } from './langchain';
import { readMessages, readToolOutput, textMessage } from './messages';
import { amountAt, countAt, attributeText, attributeTexts, valueAt } from './read-attribute';

/** The event of one model call with its messages. */
export const detailsEvent = 'gen_ai.client.inference.operation.details';

const ROLES = new Map<string, SpanRole>([
  ['chat', 'llm'],
  ['generate_content', 'llm'],
  ['text_completion', 'llm'],
  ['execute_tool', 'tool'],
  ['invoke_agent', 'agent'],
  ['create_agent', 'other'],
  ['invoke_workflow', 'chain'],
  ['embeddings', 'embedding'],
  ['retrieval', 'retriever'],
]);

export function readOtel(span: Span): ConventionPart | null {
  const attributes = withDetails(span);
  const operation = attributeText(attributes, 'gen_ai.operation.name');
  const requestModel = attributeText(attributes, 'gen_ai.request.model');
  const provider = attributeText(attributes, 'gen_ai.provider.name');
  const output = readMessages(attributes.get('gen_ai.output.messages') ?? null);
  const tool = attributeText(attributes, 'gen_ai.tool.name');
  const conversation = attributeText(attributes, 'gen_ai.conversation.id');
  if (
    operation === null &&
    requestModel === null &&
    provider === null &&
    output.length === 0 &&
    tool === null &&
    conversation === null
  ) {
    return null;
  }
  const role = operation === null ? null : (ROLES.get(operation) ?? 'other');
  const reported = readToolOutput(
    valueAt(attributes, 'gen_ai.tool.call.result', 'gen_ai.tool.message'),
  );
  return {
    role: role ?? guessRole(tool, output.length > 0 || requestModel !== null),
    provider,
    requestModel,
    responseModel: attributeText(attributes, 'gen_ai.response.model'),
    responseId: attributeText(attributes, 'gen_ai.response.id'),
    input: readInput(attributes),
    output,
    finishReasons: finishReasons(attributes),
    toolName: tool,
    toolCallId: attributeText(attributes, 'gen_ai.tool.call.id') ?? reported.callId,
    toolArguments: embedOrNull(valueAt(attributes, 'gen_ai.tool.call.arguments')),
    toolResult: reported.result,
    documents: readDocuments(attributes.get('gen_ai.retrieval.documents') ?? null),
    sessionId: conversation,
    agentName: attributeText(attributes, 'gen_ai.agent.name'),
    promptName: attributeText(attributes, 'gen_ai.prompt.name'),
    inputTokens: countAt(attributes, 'gen_ai.usage.input_tokens'),
    outputTokens: countAt(attributes, 'gen_ai.usage.output_tokens'),
    costUsd: amountAt(attributes, 'gen_ai.usage.cost'),
  };
}

/** For spans of clients that predate the operation name. */
function guessRole(tool: string | null, asksModel: boolean): SpanRole | null {
  return tool !== null ? 'tool' : asksModel ? 'llm' : null;
}

/**
 * The span's attributes, plus those that only its details events have. A client that streams sends
 * one event for the input and one for each part of the output.
 */
function withDetails(span: Span): Attributes {
  const events = span.events.filter(({ name }) => name === detailsEvent);
  if (events.length === 0) return span.attributes;
  const details = new Map(events.flatMap((event) => [...event.attributes]));
  for (const key of ['gen_ai.input.messages', 'gen_ai.output.messages']) {
    const lists = events.map(({ attributes }) => structured(attributes.get(key) ?? null));
    const parts = new Map(lists.filter(isList).map((list) => [embedJson(list), list]));
    if (parts.size > 1) details.set(key, [...parts.values()].flat());
  }
  return new Map([...details, ...span.attributes]);
}

function readInput(attributes: Attributes): Message[] {
  const system = structured(attributes.get('gen_ai.system_instructions') ?? null);
  const messages = readMessages(attributes.get('gen_ai.input.messages') ?? null);
  if (system === null || system === '') return messages;
  // The instructions are parts without a role, or one text.
  const [first] = isList(system)
    ? readMessages(
        new Map<string, AttributeValue>([
          ['role', 'system'],
          ['parts', system],
        ]),
      )
    : []; // prettier-ignore
  const instructions =
    first ?? textMessage('system', typeof system === 'string' ? system : embedJson(system));
  // Some clients repeat the instructions as the first message.
  const [head] = messages;
  const isRepeated = head?.role === 'system' && head.text === instructions.text;
  return isRepeated ? messages : [instructions, ...messages];
}

function finishReasons(attributes: Attributes): string[] {
  const reasons = attributeTexts(attributes.get('gen_ai.response.finish_reasons'));
  if (reasons.length > 0) return reasons;
  const output = structured(attributes.get('gen_ai.output.messages') ?? null);
  return (isList(output) ? output : [])
    .filter(isMap)
    .flatMap((message) => attributeText(message, 'finish_reason') ?? []);
}

/** Documents as objects with an id and content; an entry without content is not a source. */
export function readDocuments(value: AttributeValue): RetrievedDocument[] {
  const items = structured(value);
  const found: RetrievedDocument[] = [];
  for (const item of isList(items) ? items : []) {
    if (typeof item === 'string' && item !== '') found.push({ id: null, content: embedJson(item) });
    if (!isMap(item)) continue;
    const document = unwrapLangChain(item);
    const content = valueAt(document, 'content', 'page_content', 'pageContent', 'text');
    if (content !== null)
      found.push({ id: attributeText(document, 'id', 'document_id'), content: embedJson(content) });
  }
  return found;
}

/** As `embedJson`, but null stays null. */
export function embedOrNull(value: AttributeValue): string | null {
  return value === null ? null : embedJson(value);
}
