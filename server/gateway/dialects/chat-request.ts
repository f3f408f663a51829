import { type Asks, isIntricate, acceptsRule } from './asks';
import type { EnvelopeShape, ReadRequest } from './dialect';
import { JsonView } from './json-view';
import { hasMember, partsOf, textOfPart } from './parts';
import {
  contentText,
  isOffered,
  isShape,
  messagesOf,
  type Spoken,
  type SpokenToolCall,
  toolsOf,
} from './spoken';
import { appendItems, applyEdits, prependItem, setMembers } from './splice';

/**
 * Requests of OpenAI chat completions: `{model, messages: [{role, content, tool_calls?,
 * tool_call_id?}], stream?, n?, tools?, response_format?}`. Mistral sends the arguments of earlier
 * calls as objects as well; Ollama always does, and names the tool of a result `tool_name`.
 */

/** Null if it is not a request of this API. */
export function readChatRequest(body: Buffer, earlier = false): ReadRequest | null {
  const root = JsonView.parse(body);
  const messages = root?.at('messages');
  if (root == null || messages?.isArray !== true) return null;
  const conversation = messages.items().map(readMessage);
  return {
    model: root.stringAt('model'),
    stream: root.at('stream')?.isTrue === true,
    messages: messagesOf(conversation),
    tools: toolsOf(conversation, earlier),
    documents: [],
    ...asksOf(root),
  };
}

function asksOf(root: JsonView): Asks {
  return {
    offersTools: isOffered(root.at('tools')) || isOffered(root.at('functions')),
    asksShape: isShape(root.at('response_format')) || isShape(root.at('format')),
    choices: root.at('n')?.count() ?? 1,
  };
}

function readMessage(message: JsonView): Spoken {
  const role = message.stringAt('role');
  const text = contentText(message.at('content'));
  if (role === 'tool' || role === 'function') {
    const name = message.stringAt('name') ?? message.stringAt('tool_name');
    return {
      role: 'tool',
      text: '',
      result: { id: message.stringAt('tool_call_id') ?? '', name, text },
    };
  }
  if (role === 'system' || role === 'developer') return { role: 'system', text };
  if (role !== 'assistant') return { role: 'user', text };
  return {
    role,
    text: text === '' ? (message.stringAt('refusal') ?? '') : text,
    calls: callsOf(message),
  };
}

/** Tool calls of a message: `tool_calls`, or `function_call` of older clients, which has no id. */
export function callsOf(message: JsonView): SpokenToolCall[] {
  const list = message.at('tool_calls');
  const calls = partsOf(list).map((call, n) => {
    const called = hasMember(call, 'function')
      ? call.function
      : hasMember(call, 'custom')
        ? call.custom
        : null;
    const rawArguments =
      textOfPart(called, 'arguments') ??
      textOfPart(called, 'input') ??
      callArguments(list?.item(n)?.at('function') ?? null);
    return {
      id: textOfPart(call, 'id') ?? '',
      name: textOfPart(called, 'name') ?? '',
      arguments: rawArguments,
    };
  });
  const older = message.at('function_call');
  if (older?.isObject === true)
    calls.push({
      id: '',
      name: older.stringAt('name') ?? '',
      arguments: older.stringAt('arguments') ?? '',
    });
  return calls;
}

/** JSON text of the arguments of a call: a string with it, or an object. */
export function callArguments(called: JsonView | null): string {
  const rawArguments = called?.at('arguments') ?? null;
  return rawArguments?.isObject === true ? rawArguments.json() : (rawArguments?.string() ?? '');
}

/** Appends messages to the request; null if it is not a request of this API. */
export function appendMessages(
  body: Buffer,
  messages: readonly { role: string; content: string }[],
): Buffer | null {
  const array = isIntricate(body) ? null : JsonView.parse(body)?.at('messages');
  if (array?.isArray !== true) return null;
  return applyEdits(body, [
    appendItems(
      array,
      messages.map((message) => JSON.stringify(message)),
    ),
  ]);
}

/**
 * Adds the rule as the first system message, and members that request the response schema (INT-17).
 */
export function withChatRule(
  body: Buffer,
  rule: string,
  members: readonly [string, string][],
): Buffer | null {
  const root = JsonView.parse(body);
  const array = root?.at('messages');
  if (root == null || array?.isArray !== true || !acceptsRule(asksOf(root), array.items().length))
    return null;
  const edits = [prependItem(array, JSON.stringify({ role: 'system', content: rule }))];
  return applyEdits(body, [...edits, ...setMembers(root, members)]);
}

/**
 * The response schema as `response_format`. Some versions of Ollama's OpenAI-compatible API take
 * `format: "json"` instead, so both are set for them.
 */
export function shapeMembers(schema: object | null, shape: EnvelopeShape): [string, string][] {
  if (schema !== null && shape === 'json_schema') {
    return [
      [
        'response_format',
        JSON.stringify({ type: 'json_schema', json_schema: namedSchema(schema) }),
      ],
    ];
  }
  if (schema === null || shape !== 'json_best_effort') return [];
  return [
    ['format', '"json"'],
    ['response_format', '{"type":"json_object"}'],
  ];
}

/** Name of the response schema, and of the answer tool for providers without schemas (INT-17). */
export const ANSWER_NAME = 'deliver_answer';

/** Strict if the schema is closed: OpenAI rejects open schemas in strict mode. */
export function namedSchema(schema: object): { name: string; schema: object; strict: boolean } {
  return {
    name: ANSWER_NAME,
    schema,
    strict: 'additionalProperties' in schema && schema.additionalProperties === false,
  };
}
