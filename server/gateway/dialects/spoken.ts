import { turnBegin } from '../../evaluators/sources';
import type { SpokenDocument, SpokenMessage, SpokenTool } from './dialect';
import type { JsonView } from './json-view';
import { partsOf, textOfPart } from './parts';

/** One entry of a conversation in any API: text, tool calls and tool results. */
export interface Spoken {
  readonly role: SpokenMessage['role'];
  readonly text: string;
  readonly calls?: readonly SpokenToolCall[];
  readonly result?: SpokenToolResult;
  readonly documents?: readonly { readonly title: string | null; readonly text: string }[];
}

export interface SpokenToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, unchanged. */
  readonly arguments: string;
}

export interface SpokenToolResult {
  readonly id: string;
  /** Null if the API names tools only in their calls. */
  readonly name: string | null;
  readonly text: string;
}

/** Messages as the verifier sees them: tool calls and results are text (QV-22). */
export function messagesOf(conversation: readonly Spoken[]): SpokenMessage[] {
  return conversation.map(({ role, text, calls = [], result }) => {
    const lines = text === '' ? [] : [text];
    for (const call of calls)
      lines.push(`[tool call ${call.name}${label(call.id)}] ${call.arguments}`);
    if (result !== undefined) lines.push(`[tool result${label(result.id)}] ${result.text}`);
    return { role, content: lines.join('\n') };
  });
}

function label(id: string): string {
  return id === '' ? '' : ` ${id}`;
}

/** Documents of the conversation in order, each under its title. */
export function documentsOf(conversation: readonly Spoken[]): SpokenDocument[] {
  const begin = turnBegin(conversation);
  return conversation.flatMap(({ documents = [] }, at) =>
    documents.map(({ title, text }, n) => ({
      id: title ?? `message[${at}].document[${n}]`,
      text,
      earlier: at < begin,
    })),
  );
}

/** Calls of one key; several without ids are answered in their order, from `next` on. */
interface OpenCalls {
  readonly tools: { -readonly [K in keyof SpokenTool]: SpokenTool[K] }[];
  next: number;
}

/**
 * Tools called or answered since the last user message (INT-2), in order. A result of an earlier
 * call has that call's name and arguments. `earlier`: include tools before that message.
 */
export function toolsOf(conversation: readonly Spoken[], earlier = false): SpokenTool[] {
  const spokeAt = earlier ? -1 : conversation.findLastIndex((entry) => entry.role === 'user');
  const calls = new Map<string, SpokenToolCall>();
  const open = new Map<string, OpenCalls>();
  const tools: SpokenTool[] = [];
  for (const [at, entry] of conversation.entries()) {
    for (const call of entry.calls ?? []) {
      const key = keyOf(call.id, call.name);
      calls.set(key, call);
      if (at < spokeAt) continue;
      const tool = { ...call, result: null };
      const same = call.id === '' ? open.get(key) : undefined;
      if (same === undefined) open.set(key, { tools: [tool], next: 0 });
      else same.tools.push(tool);
      tools.push(tool);
    }
    if (entry.result === undefined || at < spokeAt) continue;
    const { id, name, text } = entry.result;
    const key = keyOf(id, name);
    const calledAs = open.get(key);
    const waiting = calledAs?.tools[calledAs.next++];
    if (waiting !== undefined) waiting.result = text;
    else {
      const call = calls.get(key);
      tools.push({
        id,
        name: call?.name ?? name ?? 'tool',
        arguments: call?.arguments ?? null,
        result: text,
      });
    }
  }
  return tools;
}

/** Google, Ollama and older clients name a function without an id. */
function keyOf(id: string, name: string | null): string {
  return id === '' ? `name ${name ?? ''}` : `id ${id}`;
}

/**
 * Text of a message's content: a string, or parts, of which those without text become their type in
 * brackets.
 */
export function contentText(content: JsonView | null): string {
  if (content === null || content.isNull) return '';
  if (!content.isArray) return content.string() ?? content.json();
  return linesOf(partsOf(content));
}

/** Maximum number of parts named in brackets; there may be a million. */
const NAMED_MAX = 1_000;

/**
 * Texts of parts, one line each. A part without text becomes its type in brackets; reasoning is
 * skipped.
 */
export function linesOf(parts: readonly unknown[]): string {
  const lines: string[] = [];
  let named = 0;
  for (const part of parts) {
    const text = partText(part);
    if (text !== null && text !== '') lines.push(text);
    else if (text === null && ++named <= NAMED_MAX) lines.push(...nameOf(part));
  }
  return lines.join('\n');
}

/** A part's text; null if it has none. */
function partText(part: unknown): string | null {
  return typeof part === 'string'
    ? part
    : (textOfPart(part, 'text') ?? textOfPart(part, 'refusal'));
}

function nameOf(part: unknown): string[] {
  const type = textOfPart(part, 'type') ?? 'part';
  return silent.has(type) ? [] : [`[${type}]`];
}

const silent = new Set(['thinking', 'redacted_thinking', 'reasoning']);

/** Whether a response format other than plain text is set. */
export function isShape(format: JsonView | null): boolean {
  return format !== null && !format.isNull && format.stringAt('type') !== 'text';
}

export function isOffered(tools: JsonView | null): boolean {
  return tools?.isArray === true && tools.items().length > 0;
}
