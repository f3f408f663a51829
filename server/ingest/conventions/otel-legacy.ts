/**
 * Earlier forms of OpenTelemetry's GenAI conventions: `gen_ai.system`, messages flattened into
 * `gen_ai.prompt.0.content` and `gen_ai.completion.0.content` (OpenLLMetry), and one span event per
 * message (`gen_ai.user.message`, `gen_ai.choice`).
 */
import type { Attributes, AttributeValue, Span, SpanEvent } from '../span';
import type { ConventionPart, Message, SpanRole } from './gen-span';
import { isMap, structured } from './json-value';
import { readMessage, readMessages, textMessage } from './messages';
import { countAt, itemsUnder, membersOf, attributeText, valueAt } from './read-attribute';

const REQUESTS = new Map<string, SpanRole>([
  ['chat', 'llm'],
  ['completion', 'llm'],
  ['embedding', 'embedding'],
  ['rerank', 'retriever'],
]);

/** One event per message; the value is the role of its sender. */
export const messageEvents: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
  ['gen_ai.choice', 'assistant'],
]);

export function readOtelLegacy(span: Span): ConventionPart | null {
  const { attributes } = span;
  const request = attributeText(attributes, 'llm.request.type');
  const provider = attributeText(attributes, 'gen_ai.system');
  const flat = {
    input: flatMessages(attributes, 'gen_ai.prompt.', 'user'),
    output: flatMessages(attributes, 'gen_ai.completion.', 'assistant'),
  };
  const events = readEvents(span.events);
  const input = flat.input.length > 0 ? flat.input : events.input;
  const output = flat.output.length > 0 ? flat.output : events.output;
  if (request === null && provider === null && input.length === 0 && output.length === 0)
    return null;
  const asksModel = input.length > 0 || output.length > 0;
  return {
    role: (request === null ? null : REQUESTS.get(request)) ?? (asksModel ? 'llm' : null),
    provider,
    requestModel: attributeText(attributes, 'gen_ai.request.model', 'llm.request.model'),
    responseModel: attributeText(attributes, 'gen_ai.response.model', 'llm.response.model'),
    input,
    output,
    finishReasons: [...flatReasons(attributes), ...events.reasons],
    inputTokens: countAt(attributes, 'gen_ai.usage.prompt_tokens', 'llm.usage.prompt_tokens'),
    outputTokens: countAt(
      attributes,
      'gen_ai.usage.completion_tokens',
      'llm.usage.completion_tokens',
    ),
  };
}

/** A bare text under `gen_ai.prompt` is a prompt of the oldest form. */
function flatMessages(attributes: Attributes, prefix: string, role: string): Message[] {
  const found = itemsUnder(attributes, prefix).flatMap((item) => {
    const members = new Map<string, AttributeValue>(item);
    const calls = itemsUnder(item, 'tool_calls.').filter((call) => call.size > 0);
    if (calls.length > 0) members.set('tool_calls', calls);
    if (!members.has('role')) members.set('role', role);
    return readMessage(members) ?? [];
  });
  if (found.length > 0) return found;
  const unflattened = valueAt(attributes, prefix.slice(0, -1));
  return unflattened === null ? [] : messagesOrText(unflattened, role);
}

function flatReasons(attributes: Attributes): string[] {
  return itemsUnder(attributes, 'gen_ai.completion.').flatMap(
    (item) => attributeText(item, 'finish_reason') ?? [],
  );
}

interface EventContent {
  readonly input: Message[];
  readonly output: Message[];
  readonly reasons: string[];
}

function readEvents(events: readonly SpanEvent[]): EventContent {
  const content: EventContent = { input: [], output: [], reasons: [] };
  for (const event of events) {
    const role = messageEvents.get(event.name);
    if (role !== undefined) readMessageEvent(event, role, content);
    if (event.name === 'gen_ai.content.prompt')
      content.input.push(...contentOf(event, 'gen_ai.prompt', 'user'));
    if (event.name === 'gen_ai.content.completion')
      content.output.push(...contentOf(event, 'gen_ai.completion', 'assistant'));
  }
  return content;
}

function contentOf(event: SpanEvent, key: string, role: string): Message[] {
  const value = valueAt(event.attributes, key);
  return value === null ? [] : messagesOrText(value, role);
}

function readMessageEvent(event: SpanEvent, role: string, content: EventContent): void {
  // Some clients put the event's body into one attribute.
  const body = membersOf(event.attributes.get('gen_ai.event.content')) ?? event.attributes;
  const inner = structured(body.get('message') ?? null);
  const members = new Map<string, AttributeValue>(isMap(inner) ? [...body, ...inner] : body);
  if (typeof inner === 'string' && inner !== '') members.set('content', inner);
  if (!members.has('role')) members.set('role', role);
  const message = readMessage(members);
  if (message !== null)
    (event.name === 'gen_ai.choice' ? content.output : content.input).push(message);
  const reason = event.name === 'gen_ai.choice' ? attributeText(body, 'finish_reason') : null;
  if (reason !== null) content.reasons.push(reason);
}

function messagesOrText(value: AttributeValue, role: string): Message[] {
  const messages = readMessages(value);
  return messages.length > 0 || typeof value !== 'string' ? messages : [textMessage(role, value)];
}
