import { type Asks, isIntricate, acceptsRule } from './asks';
import { ANSWER_NAME } from './chat-request';
import type { EnvelopeShape, ReadRequest } from './dialect';
import { JsonView } from './json-view';
import { hasMember, partsOf, textOfPart } from './parts';
import {
  contentText,
  documentsOf,
  isOffered,
  isShape,
  linesOf,
  messagesOf,
  type Spoken,
  type SpokenToolCall,
  toolsOf,
} from './spoken';
import { appendItems, applyEdits, type Edit, prependItem, setMembers } from './splice';

/**
 * Requests of Anthropic's messages API: `{model, max_tokens, system?: string | blocks, messages:
 * [{role, content: string | blocks}], tools?}`. Tool calls are blocks `tool_use {id, name, input}`
 * of the assistant; results are blocks `tool_result {tool_use_id, content}` of the user.
 */

/** Null if it is not a request of this API. */
export function readMessagesRequest(body: Buffer, earlier = false): ReadRequest | null {
  const root = JsonView.parse(body);
  const messages = root?.at('messages');
  if (root == null || messages?.isArray !== true) return null;
  const system = contentText(root.at('system'));
  const conversation: Spoken[] = system === '' ? [] : [{ role: 'system', text: system }];
  for (const message of messages.items()) conversation.push(...readMessage(message));
  return {
    model: root.stringAt('model'),
    stream: root.at('stream')?.isTrue === true,
    messages: messagesOf(conversation),
    tools: toolsOf(conversation, earlier),
    documents: documentsOf(conversation),
    ...asksOf(root),
  };
}

function asksOf(root: JsonView): Asks {
  return {
    offersTools: isOffered(root.at('tools')),
    asksShape:
      isShape(root.at('output_format')) || isShape(root.at('output_config')?.at('format') ?? null),
    choices: 1,
  };
}

/**
 * Tool results become tool entries. Other text in the same message is not new user input, since
 * clients put their reminders there.
 */
function readMessage(message: JsonView): Spoken[] {
  const content = message.at('content');
  const byAssistant = message.stringAt('role') === 'assistant';
  const text = contentText(content);
  if (content?.isArray !== true) return [{ role: byAssistant ? 'assistant' : 'user', text }];
  const parts = partsOf(content);
  const blocks = parts.flatMap((part, at) =>
    isToolBlock(part) || isDocument(part) ? (content.item(at) ?? []) : [],
  );
  const results = blocks.flatMap(resultOf);
  const ownText = linesOf(parts.filter((part) => !isToolBlock(part)));
  if (byAssistant)
    return [{ role: 'assistant', text: ownText, calls: blocks.flatMap(callOf) }, ...results];
  const documents = blocks.flatMap(documentOf);
  if (results.length === 0) return [{ role: 'user', text: ownText, documents }];
  return ownText === '' ? results : [...results, { role: 'tool', text: ownText, documents }];
}

/**
 * Text of `document {source, title?}` and `search_result {source, title, content}` blocks; a PDF
 * has no text to read.
 */
function documentOf(block: JsonView): { title: string | null; text: string }[] {
  const type = block.stringAt('type');
  if (!isDocumentType(type)) return [];
  const source = type === 'document' ? block.at('source') : block;
  const isText = source?.stringAt('type') === 'text';
  const text = isText
    ? (source?.stringAt('data') ?? '')
    : contentText(source?.at('content') ?? null);
  return text.trim() === '' ? [] : [{ title: block.stringAt('title'), text }];
}

const isDocumentType = (type: string | null): boolean =>
  type === 'document' || type === 'search_result';
const isDocument = (part: unknown): boolean => isDocumentType(textOfPart(part, 'type'));

function isToolBlock(part: unknown): boolean {
  const type = textOfPart(part, 'type') ?? '';
  return type.endsWith('tool_use') || type.endsWith('tool_result');
}

/**
 * A tool call: the client's, or one that the provider runs itself (`server_tool_use` and the like).
 */
export function callOf(block: JsonView): SpokenToolCall[] {
  if (block.stringAt('type')?.endsWith('tool_use') !== true) return [];
  return [
    {
      id: block.stringAt('id') ?? '',
      name: block.stringAt('name') ?? '',
      arguments: block.at('input')?.json() ?? '',
    },
  ];
}

function resultOf(block: JsonView): Spoken[] {
  if (block.stringAt('type')?.endsWith('tool_result') !== true) return [];
  const content = block.at('content');
  const plain =
    content === null ||
    content.isString ||
    (content.isArray && partsOf(content).every((part) => hasMember(part, 'text')));
  const text = plain ? contentText(content) : content.json();
  return [
    {
      role: 'tool',
      text: '',
      result: { id: block.stringAt('tool_use_id') ?? '', name: null, text },
    },
  ];
}

/**
 * Appends a block to the top-level `system`, since this API has no system messages. A string
 * becomes its first block. Null if it is not a request of this API.
 */
export function withSystemBlock(body: Buffer, message: string): Buffer | null {
  const root = isIntricate(body) ? null : JsonView.parse(body);
  if (root?.at('messages')?.isArray !== true) return null;
  return applyEdits(body, systemEdits(root, textBlock(message), 'last'));
}

function systemEdits(root: JsonView, block: string, place: 'first' | 'last'): Edit[] {
  const system = root.at('system');
  if (system?.isArray === true)
    return [place === 'last' ? appendItems(system, [block]) : prependItem(system, block)];
  const systemBlocks = system?.string() ? [`{"type":"text","text":${system.json()}}`] : [];
  const blocks = place === 'first' ? [block, ...systemBlocks] : [...systemBlocks, block];
  return setMembers(root, [['system', `[${blocks.join(',')}]`]]);
}

function textBlock(text: string): string {
  return JSON.stringify({ type: 'text', text });
}

/**
 * Adds the rule as the first block of `system`. The schema is the input of a forced tool (INT-17),
 * but not with thinking, which this API rejects together with a forced tool.
 */
export function withMessagesRule(
  body: Buffer,
  rule: string,
  schema: object | null,
  shape: EnvelopeShape,
): Buffer | null {
  const root = JsonView.parse(body);
  const list = root?.at('messages') ?? null;
  if (root === null || list?.isArray !== true || !acceptsRule(asksOf(root), list.items().length))
    return null;
  const thinking = root.at('thinking');
  const thinks = thinking !== null && !thinking.isNull && thinking.stringAt('type') !== 'disabled';
  const forced = schema !== null && shape === 'forced_tool' && !thinks;
  const members: [string, string][] = [];
  const edits: Edit[] = [];
  if (root.at('system') === null) members.push(['system', `[${textBlock(rule)}]`]);
  else edits.push(...systemEdits(root, textBlock(rule), 'first'));
  if (forced) {
    const tool = {
      name: ANSWER_NAME,
      description: 'Delivers the whole answer to the user.',
      input_schema: schema,
    };
    members.push(
      ['tools', JSON.stringify([tool])],
      ['tool_choice', JSON.stringify({ type: 'tool', name: ANSWER_NAME })],
    );
  }
  return applyEdits(body, [...edits, ...setMembers(root, members)]);
}
