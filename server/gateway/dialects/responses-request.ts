import { type Asks, isIntricate, acceptsRule } from './asks';
import { namedSchema } from './chat-request';
import type { EnvelopeShape, ReadRequest } from './dialect';
import { JsonView } from './json-view';
import { contentText, isOffered, isShape, messagesOf, type Spoken, toolsOf } from './spoken';
import { appendItems, applyEdits, type Edit, setMembers } from './splice';

/**
 * Requests of OpenAI's responses API: `{model, instructions?, input: string | items, stream?,
 * tools?, text: {format?}}`. Items are messages `{role, content}`, calls `{type: function_call,
 * call_id, name, arguments}`, their results `{type: function_call_output, call_id, output}` and
 * others with a `type`. The content of an earlier response or a stored conversation is not in the
 * request, and is not parsed.
 */

/** Null if it is not a request of this API, or one without `input`. */
export function readResponsesRequest(body: Buffer, earlier = false): ReadRequest | null {
  const root = JsonView.parse(body);
  const input = root?.at('input') ?? null;
  if (root === null || input === null || !(input.isArray || input.isString)) return null;
  const instructions = contentText(root.at('instructions'));
  const conversation: Spoken[] =
    instructions === '' ? [] : [{ role: 'system', text: instructions }];
  if (input.isString) conversation.push({ role: 'user', text: input.string() ?? '' });
  for (const item of input.items()) conversation.push(...readItem(item));
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
    offersTools: isOffered(root.at('tools')),
    asksShape: isShape(root.at('text')?.at('format') ?? null),
    choices: 1,
  };
}

function readItem(item: JsonView): Spoken[] {
  const type = item.stringAt('type') ?? 'message';
  const id = item.stringAt('call_id') ?? item.stringAt('id') ?? '';
  if (type === 'message')
    return [{ role: roleOf(item.stringAt('role')), text: contentText(item.at('content')) }];
  if (type === 'reasoning' || type === 'item_reference') return [];
  if (type.endsWith('_output'))
    return [
      { role: 'tool', text: '', result: { id, name: null, text: contentText(item.at('output')) } },
    ];
  const rawArguments =
    item.stringAt('arguments') ?? item.stringAt('input') ?? item.at('action')?.json() ?? null;
  if (rawArguments === null) return [{ role: 'assistant', text: `[${type}]` }];
  const call: Spoken = {
    role: 'assistant',
    text: '',
    calls: [{ id, name: item.stringAt('name') ?? type, arguments: rawArguments }],
  };
  // A call of a remote tool contains its result.
  const output = item.stringAt('output');
  return output === null
    ? [call]
    : [call, { role: 'tool', text: '', result: { id, name: null, text: output } }];
}

function roleOf(role: string | null): Spoken['role'] {
  if (role === 'assistant') return role;
  return role === 'system' || role === 'developer' ? 'system' : 'user';
}

/**
 * Appends messages to the input; a string input becomes a user message. Null if it is not a request
 * of this API.
 */
export function appendInput(
  body: Buffer,
  messages: readonly { role: string; content: string }[],
): Buffer | null {
  const input = isIntricate(body) ? null : (JsonView.parse(body)?.at('input') ?? null);
  const items = messages.map((message) => JSON.stringify(message));
  if (input?.isArray === true) return applyEdits(body, [appendItems(input, items)]);
  if (input?.isString !== true) return null;
  const { start, end } = input;
  return applyEdits(body, [
    { start, end: start, json: '[{"role":"user","content":' },
    { start: end, end, json: `},${items.join(',')}]` },
  ]);
}

/** Adds the rule before the request's instructions and the schema as `text.format` (INT-17). */
export function withResponsesRule(
  body: Buffer,
  rule: string,
  schema: object | null,
  shape: EnvelopeShape,
): Buffer | null {
  const root = JsonView.parse(body);
  const input = root?.at('input') ?? null;
  if (root === null || input === null || !(input.isArray || input.isString)) return null;
  if (!acceptsRule(asksOf(root), input.items().length)) return null;
  const instructions = root.at('instructions');
  const text = root.at('text');
  const format = schema === null ? null : formatOf(schema, shape);
  const edits: Edit[] = [];
  const members: [string, string][] = [];
  if (instructions?.isString === true)
    edits.push({
      start: instructions.start + 1,
      end: instructions.start + 1,
      json: JSON.stringify(`${rule}\n\n`).slice(1, -1),
    });
  else members.push(['instructions', JSON.stringify(rule)]);
  if (format !== null && text?.isObject === true)
    edits.push(...setMembers(text, [['format', format]]));
  else if (format !== null) members.push(['text', `{"format":${format}}`]);
  return applyEdits(body, [...edits, ...setMembers(root, members)]);
}

function formatOf(schema: object, shape: EnvelopeShape): string | null {
  if (shape === 'json_schema')
    return JSON.stringify({ type: 'json_schema', ...namedSchema(schema) });
  return shape === 'json_best_effort' ? '{"type":"json_object"}' : null;
}
