/**
 * Reads conversations in the formats of clients: OpenAI chat and responses, Anthropic, Gemini, the
 * AI SDK, LangChain, and the parts of the OTel GenAI conventions. All of them are objects with a
 * role and content; this module reads their common structure.
 */
import type { AttributeValue } from '../span';
import type { Message, ToolCall, ToolResult } from './gen-span';
import { embedJson, isList, isMap, structured } from './json-value';
import { attributeText, textOf, valueAt } from './read-attribute';

type Members = ReadonlyMap<string, AttributeValue>;

const ROLES = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ['developer', 'system'],
  ['HumanMessage', 'user'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['ToolMessage', 'tool'],
  ['SystemMessage', 'system'],
]);
const TEXTS = new Set(['text', 'input_text', 'output_text']);
const CALLS = new Set([
  'tool_call',
  'tool-call',
  'tool_use',
  'function_call',
  'server_tool_call',
  'server_tool_use',
]);
const RESULTS = new Set([
  'tool_call_response',
  'tool-result',
  'tool_result',
  'function_call_output',
  'server_tool_call_response',
  'web_search_tool_result',
]);
const REASONING = new Set(['reasoning', 'thinking', 'redacted_thinking', 'redacted-reasoning']);
/** Wrappers that the AI SDK puts around a tool's output. */
const WRAPPED_OUTPUT = new Set(['json', 'text', 'error-text', 'error-json', 'content']);

/**
 * The messages in a value: a list of them, one, a request or a reply that contains them, or JSON
 * text of any. Empty if there are none.
 */
export function readMessages(value: AttributeValue): Message[] {
  const held = structured(value);
  if (isList(held)) return held.flatMap(readMessages);
  if (!isMap(held)) return [];
  const message = readMessage(held);
  if (message !== null) return [message];
  const system = held.get('system') ?? held.get('instructions') ?? null;
  const inner = valueAt(held, 'messages', 'choices', 'generations', 'message', 'output');
  const messages =
    inner === null
      ? promptOf(held)
      : isList(structured(inner)) || isMap(structured(inner))
        ? readMessages(inner)
        : [];
  return messages.length > 0 && typeof system === 'string' && system !== ''
    ? [said('system', system), ...messages]
    : messages;
}

/**
 * A request with its question in a separate member: `prompt` (AI SDK), `input` (OpenAI responses).
 */
function promptOf(request: Members): Message[] {
  const prompt = structured(valueAt(request, 'prompt', 'input'));
  return typeof prompt === 'string'
    ? [said('user', prompt)]
    : prompt === null
      ? []
      : readMessages(prompt);
}

/** A message of plain text. */
export function said(role: string, text: string): Message {
  return { role, text, calls: [], results: [], other: [] };
}

/**
 * One message read from its members; null when they are not a message. `content` may be JSON text
 * of parts.
 */
export function readMessage(sent: Members): Message | null {
  const members = unwrapLangChain(sent);
  const type = attributeText(members, 'type') ?? '';
  if (!members.has('role')) {
    if (CALLS.has(type)) return { ...said('assistant', ''), calls: [readCall(members)] };
    if (RESULTS.has(type)) return { ...said('tool', ''), results: [readResult(members)] };
  }
  const named =
    attributeText(members, 'role') ??
    (ROLES.has(type) || type === 'system' || type === 'tool' ? type : null);
  const content = valueAt(members, 'parts', 'content');
  const hasCalls = members.has('tool_calls') || members.has('function_call');
  if (named === null && !(type === 'message' && content !== null)) return null;
  if (content === null && !hasCalls && !members.has('content') && !members.has('parts'))
    return null;
  const role = ROLES.get(named ?? '') ?? named ?? 'assistant';
  const message = readContent(role, content);
  const calls = [...message.calls, ...readCalls(members)];
  if (role !== 'tool' || message.results.length > 0) return settleRole({ ...message, calls });
  const result: ToolResult = {
    callId: attributeText(members, 'tool_call_id', 'id'),
    name: attributeText(members, 'name'),
    result: embedJson(isList(structured(content)) ? message.text : content),
  };
  return { ...message, text: '', results: [result] };
}

/**
 * A message that contains only results has the role `tool` whatever its sender: Anthropic sends
 * them as the user.
 */
function settleRole(message: Message): Message {
  return message.results.length > 0 && message.text === '' && message.role === 'user'
    ? { ...message, role: 'tool' }
    : message;
}

function unwrapLangChain(members: Members): Members {
  const inner = members.get('kwargs');
  if (!isMap(inner)) return members;
  const id = members.get('id');
  const kind = isList(id) ? (id.at(-1) ?? null) : null;
  return new Map([...inner, ['type', kind]]);
}

function readContent(role: string, content: AttributeValue): Message {
  const held = partsIn(content);
  if (!isList(held)) return said(role, isMap(held) ? embedJson(held) : (textOf(held) ?? ''));
  const texts: string[] = [];
  const calls: ToolCall[] = [];
  const results: ToolResult[] = [];
  const other: string[] = [];
  for (const part of held) {
    if (!isMap(part)) {
      texts.push(textOf(part) ?? '');
      continue;
    }
    const type = attributeText(part, 'type') ?? '';
    const functionCall = part.get('functionCall') ?? part.get('function_call');
    const functionResponse = part.get('functionResponse') ?? part.get('function_response');
    if (isMap(functionCall)) calls.push(readCall(functionCall));
    else if (isMap(functionResponse)) results.push(readResult(functionResponse));
    else if (CALLS.has(type)) calls.push(readCall(part));
    else if (RESULTS.has(type)) results.push(readResult(part));
    else if (TEXTS.has(type) || type === '')
      texts.push(attributeText(part, 'text', 'content') ?? '');
    else if (!REASONING.has(type)) other.push(type);
  }
  // Providers split one sentence of an answer into several parts; parts written by people are
  // separate texts.
  return { role, text: texts.join(role === 'assistant' ? '' : '\n'), calls, results, other };
}

/**
 * JSON text is read as parts only when it is a list of typed ones: a user may well send a list of
 * numbers.
 */
function partsIn(content: AttributeValue): AttributeValue {
  if (typeof content !== 'string') return content;
  const held = structured(content);
  return isList(held) && held.length > 0 && held.every((part) => isMap(part) && part.has('type'))
    ? held
    : content;
}

function readCalls(members: Members): ToolCall[] {
  const listed = structured(valueAt(members, 'tool_calls'));
  const single = structured(valueAt(members, 'function_call'));
  return [...(isList(listed) ? listed : []), single].filter(isMap).map(readCall);
}

/** A tool call in any of its formats. */
function readCall(call: Members): ToolCall {
  const held = call.get('function') ?? call.get('kwargs');
  const inner = isMap(held) ? held : call;
  const type = attributeText(call, 'type') ?? '';
  return {
    id: attributeText(call, 'call_id', 'toolCallId', 'tool_call_id', 'id'),
    name: attributeText(inner, 'name', 'toolName', 'tool_name'),
    arguments: embedJson(valueAt(inner, 'arguments', 'args', 'input') ?? new Map()),
    ranByProvider: call.get('providerExecuted') === true || type.startsWith('server_tool'),
  };
}

function readResult(part: Members): ToolResult {
  return {
    callId: attributeText(part, 'call_id', 'toolCallId', 'tool_use_id', 'tool_call_id', 'id'),
    name: attributeText(part, 'name', 'toolName', 'tool_name'),
    result: embedJson(
      unwrapResult(
        valueAt(part, 'response', 'result', 'output', 'content', 'server_tool_call_response'),
      ),
    ),
  };
}

function unwrapResult(value: AttributeValue): AttributeValue {
  const type = isMap(value) ? attributeText(value, 'type') : null;
  const inner =
    isMap(value) && type !== null && WRAPPED_OUTPUT.has(type) && value.has('value')
      ? (value.get('value') ?? null)
      : value;
  if (!isList(inner) || inner.length === 0) return inner;
  const texts = inner.map((part) =>
    isMap(part) && part.get('type') === 'text' ? attributeText(part, 'text') : null,
  );
  return texts.every((text) => text !== null) ? texts.join('\n') : inner;
}
