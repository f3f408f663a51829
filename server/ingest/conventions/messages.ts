/**
 * Reads conversations in the formats of clients: OpenAI chat and responses, Anthropic, Gemini, the
 * AI SDK, LangChain, and the parts of the OTel GenAI conventions. All of them are objects with a
 * role and content; this module reads their common structure.
 */
import type { AttributeValue } from '../span';
import type { JsonText, Message, ToolCall, ToolResult } from './gen-span';
import { embedJson, isList, isMap, structured } from './json-value';
import { isLangChain, unwrapLangChain, unwrapReported } from './langchain';
import { attributeText, membersOf, textOf, valueAt } from './read-attribute';

type Members = ReadonlyMap<string, AttributeValue>;

const ROLES = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ['developer', 'system'],
  ['HumanMessage', 'user'],
  ['HumanMessageChunk', 'user'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['ToolMessage', 'tool'],
  ['ToolMessageChunk', 'tool'],
  ['FunctionMessage', 'tool'],
  ['FunctionMessageChunk', 'tool'],
  ['SystemMessage', 'system'],
  ['SystemMessageChunk', 'system'],
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

/** Whether a value consists of messages, or has them in a member. */
export function isConversation(value: AttributeValue): boolean {
  const parsed = structured(value);
  if (isList(parsed)) return parsed.some(isConversation);
  if (!isMap(parsed)) return false;
  const within = ['messages', 'output', 'outputs'].map((key) => parsed.get(key) ?? null);
  return readMessage(parsed) !== null || within.some(isConversation);
}

/** Members that contain messages, in requests, replies and LangChain's prompts and generations. */
const CONTAINERS = [
  'messages',
  'choices',
  'candidates',
  'generations',
  'message',
  'output',
  'outputs',
] as const;

/**
 * The messages in a value: a list of them, one, a request or a reply that contains them, or JSON
 * text of any. Empty if there are none.
 */
export function readMessages(value: AttributeValue): Message[] {
  const sent = structured(value);
  if (isList(sent)) return sent.flatMap(readMessages);
  if (!isMap(sent)) return [];
  const members = unwrapLangChain(sent);
  const message = readMessage(members);
  if (message !== null) return [message];
  const system = members.get('system') ?? members.get('instructions') ?? null;
  const inner = valueAt(members, ...CONTAINERS);
  const messages =
    inner === null
      ? promptOf(members)
      : isList(structured(inner)) || isMap(structured(inner))
        ? readMessages(inner)
        : [];
  return messages.length > 0 && typeof system === 'string' && system !== ''
    ? [textMessage('system', system), ...messages]
    : messages;
}

/**
 * A request with its question in a separate member: `prompt` (AI SDK), `input` (OpenAI responses),
 * `prompts` (LangChain's completion models, whose generations have only a text).
 */
function promptOf(request: Members): Message[] {
  const prompt = structured(valueAt(request, 'prompt', 'input', 'prompts'));
  if (typeof prompt === 'string') return [textMessage('user', prompt)];
  if (prompt !== null)
    return isList(prompt) && prompt.every((each) => typeof each === 'string')
      ? prompt.map((each) => textMessage('user', each))
      : readMessages(prompt);
  const text = request.has('generation_info') || request.has('generationInfo');
  const generated = text ? attributeText(request, 'text') : null;
  return generated === null ? [] : [textMessage('assistant', generated)];
}

/** A message of plain text. */
export function textMessage(role: string, text: string): Message {
  return { role, text, calls: [], results: [], other: [] };
}

/**
 * One message read from its members; null when they are not a message. `content` may be JSON text
 * of parts. A message with the id of a tool call is the result of that call, regardless of its
 * role: some clients keep the role of its sender.
 */
export function readMessage(sent: Members): Message | null {
  const members = withData(unwrapLangChain(sent));
  const type = attributeText(members, 'type') ?? '';
  if (!members.has('role')) {
    if (CALLS.has(type)) return { ...textMessage('assistant', ''), calls: [readCall(members)] };
    if (RESULTS.has(type)) return { ...textMessage('tool', ''), results: [readResult(members)] };
  }
  const named =
    attributeText(members, 'role') ??
    (ROLES.has(type) || type === 'system' || type === 'tool' ? type : null);
  const content = valueAt(members, 'parts', 'content');
  const hasCalls = members.has('tool_calls') || members.has('function_call');
  const answered = attributeText(members, 'tool_call_id', 'toolCallId');
  if (named === null && answered === null && !(type === 'message' && content !== null)) return null;
  if (content === null && !hasCalls && !members.has('content') && !members.has('parts'))
    return null;
  const role = ROLES.get(named ?? '') ?? named ?? 'assistant';
  const message = readContent(role, content);
  const calls = eachOnce([...message.calls, ...readCalls(members)]);
  const isResult = role === 'tool' || (answered !== null && calls.length === 0);
  if (!isResult || message.results.length > 0) return settleRole({ ...message, calls });
  const result: ToolResult = {
    callId: answered ?? attributeText(members, 'id'),
    name: attributeText(members, 'name'),
    result: embedJson(isList(structured(content)) ? message.text : content),
  };
  return { ...message, role: 'tool', text: '', calls, results: [result] };
}

/** LangChain's older form of a stored message: `{"type":"human","data":{"content":…}}`. */
function withData(members: Members): Members {
  const type = attributeText(members, 'type');
  if (type === null || !ROLES.has(type) || members.has('content') || members.has('role'))
    return members;
  const data = membersOf(members.get('data'));
  return data === null ? members : new Map([...data, ['type', type]]);
}

/** A client may repeat a call as a part of the content; a call without id and name is ignored. */
function eachOnce(calls: readonly ToolCall[]): ToolCall[] {
  const seen = new Set<string>();
  return calls.filter(({ id, name }) => {
    if (id === null) return name !== null;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

/** The result in the span of a tool. */
export interface ToolOutput {
  readonly callId: string | null;
  readonly name: string | null;
  /** Null where the span has no output. */
  readonly result: JsonText | null;
}

/**
 * Reads the output of a tool's span. Frameworks report the message that they return to the model;
 * its content is the result, and its call id and name are those of the call.
 */
export function readToolOutput(value: AttributeValue): ToolOutput {
  const reported = structured(unwrapReported(value, 'output', 'outputs'));
  const message = isMap(reported) ? readMessage(reported) : null;
  const [result, ...others] = message?.results ?? [];
  const isMessage =
    result !== undefined &&
    others.length === 0 &&
    (result.callId !== null || (isMap(reported) && isLangChain(reported)));
  if (isMessage) return result;
  return { callId: null, name: null, result: value === null ? null : embedJson(value) };
}

/**
 * A message that contains only results has the role `tool` regardless of its sender: Anthropic
 * sends them as the user.
 */
function settleRole(message: Message): Message {
  return message.results.length > 0 && message.text === '' && message.role === 'user'
    ? { ...message, role: 'tool' }
    : message;
}

function readContent(role: string, content: AttributeValue): Message {
  const parts = partsIn(content);
  if (!isList(parts))
    return textMessage(role, isMap(parts) ? embedJson(parts) : (textOf(parts) ?? ''));
  const texts: string[] = [];
  const calls: ToolCall[] = [];
  const results: ToolResult[] = [];
  const other: string[] = [];
  for (const part of parts) {
    if (!isMap(part)) {
      texts.push(textOf(part) ?? '');
      continue;
    }
    const type = attributeText(part, 'type') ?? '';
    const call = firstMap(part, 'functionCall', 'function_call', 'toolRequest');
    const response = firstMap(part, 'functionResponse', 'function_response', 'toolResponse');
    if (call !== null) calls.push(readCall(call));
    else if (response !== null) results.push(readResult(response));
    else if (CALLS.has(type)) calls.push(readCall(part));
    else if (RESULTS.has(type)) results.push(readResult(part));
    else if (TEXTS.has(type) || (type === '' && !part.has('media')))
      texts.push(attributeText(part, 'text', 'content') ?? '');
    else if (!REASONING.has(type)) other.push(type === '' ? 'media' : type);
  }
  // Providers split one sentence of an answer into several parts; parts written by people are
  // separate texts.
  return { role, text: texts.join(role === 'assistant' ? '' : '\n'), calls, results, other };
}

/** The value of the first of these keys that is an object: parts of Gemini and of Genkit. */
function firstMap(part: Members, ...keys: readonly string[]): Members | null {
  for (const key of keys) {
    const value = part.get(key);
    if (isMap(value)) return value;
  }
  return null;
}

/**
 * JSON text is read as parts only when it is a list of typed ones: a user may well send a list of
 * numbers.
 */
function partsIn(content: AttributeValue): AttributeValue {
  if (typeof content !== 'string') return content;
  const parts = structured(content);
  return isList(parts) && parts.length > 0 && parts.every((part) => isMap(part) && part.has('type'))
    ? parts
    : content;
}

function readCalls(members: Members): ToolCall[] {
  // LangChain repeats the provider's calls there, and older versions have only those.
  const raw = membersOf(members.get('additional_kwargs'))?.get('tool_calls') ?? null;
  const listed = structured(valueAt(members, 'tool_calls') ?? raw);
  const single = structured(valueAt(members, 'function_call'));
  return [...(isList(listed) ? listed : []), single].filter(isMap).map(readCall);
}

/** A tool call in any of its formats. */
function readCall(call: Members): ToolCall {
  const nested = call.get('function') ?? call.get('kwargs');
  const inner = isMap(nested) ? nested : call;
  const type = attributeText(call, 'type') ?? '';
  return {
    id: attributeText(call, 'call_id', 'toolCallId', 'tool_call_id', 'id', 'ref'),
    name: attributeText(inner, 'name', 'toolName', 'tool_name'),
    arguments: embedJson(valueAt(inner, 'arguments', 'args', 'input') ?? new Map()),
    ranByProvider: call.get('providerExecuted') === true || type.startsWith('server_tool'),
  };
}

function readResult(part: Members): ToolResult {
  return {
    callId: attributeText(
      part,
      'call_id',
      'toolCallId',
      'tool_use_id',
      'tool_call_id',
      'id',
      'ref',
    ),
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
