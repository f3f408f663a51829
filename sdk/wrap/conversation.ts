import type { Message, ToolResult } from '../client/turn';

/**
 * A conversation in the terms that all model APIs share, and what a turn records of it: messages as
 * text, and the tools since the last message of a user. The gateway stores the same (INT-2, QV-22).
 */

/** One entry of a conversation. */
export interface Spoken {
  readonly role: string;
  readonly text: string;
  readonly calls?: readonly SpokenCall[];
  readonly result?: SpokenResult;
}

export interface SpokenCall {
  readonly id: string;
  readonly name: string;
  /** Text, or any JSON. */
  readonly arguments: unknown;
}

export interface SpokenResult {
  readonly id: string;
  /** Null if the API names tools only in their calls. */
  readonly name: string | null;
  /** Text, or any JSON. */
  readonly result: unknown;
}

/** Tool calls and their results become lines of text. */
export function messagesOf(conversation: readonly Spoken[]): Message[] {
  return conversation.map(({ role, text, calls = [], result }) => {
    const lines = text === '' ? [] : [text];
    for (const call of calls)
      lines.push(`[tool call ${call.name}${label(call.id)}] ${jsonText(call.arguments)}`);
    if (result !== undefined)
      lines.push(`[tool result${label(result.id)}] ${jsonText(result.result)}`);
    return { role, content: lines.join('\n') };
  });
}

const label = (id: string): string => (id === '' ? '' : ` ${id}`);

/**
 * Tools called or answered since the last message of a user, in order. A result of an earlier call
 * has that call's name and arguments.
 */
export function toolsOf(conversation: readonly Spoken[]): ToolResult[] {
  const begin = conversation.map(({ role }) => role).lastIndexOf('user');
  const calls = new Map<string, SpokenCall>();
  const open = new Map<string, ToolResult>();
  const tools: ToolResult[] = [];
  for (const [at, { calls: called = [], result }] of conversation.entries()) {
    for (const call of called) {
      calls.set(call.id, call);
      if (at < begin) continue;
      const tool = toolOf(call);
      open.set(call.id, tool);
      tools.push(tool);
    }
    if (result === undefined || at < begin) continue;
    const waiting = open.get(result.id);
    open.delete(result.id);
    const call = calls.get(result.id);
    const tool =
      waiting ??
      toolOf(call ?? { id: result.id, name: result.name ?? 'tool', arguments: undefined });
    tool.result = jsonValue(result.result);
    if (waiting === undefined) tools.push(tool);
  }
  return tools;
}

/** A call without its result. Ids and names are cut at the limits of the server. */
export const toolOf = ({ id, name, arguments: callArguments }: SpokenCall): ToolResult => ({
  ...(id === '' ? {} : { id: id.slice(0, maxIdChars) }),
  name: name.slice(0, maxNameChars),
  ...(callArguments === undefined ? {} : { arguments: jsonValue(callArguments) }),
});

/** Limits of `POST /v1/turns`, above which a turn would be refused. */
export const maxIdChars = 200;
const maxNameChars = 500;

/** Text that is the JSON of an object or a list becomes it, so that paths into it can be named. */
export function jsonValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

type Members = Readonly<Record<string, unknown>>;

/** An object's members; none for anything else. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : {};
}

export function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

const silent = new Set(['thinking', 'redacted_thinking', 'reasoning']);

/**
 * Text of a message's content: a string, or parts, of which one without text becomes its type in
 * brackets. Reasoning is omitted.
 */
export function textOf(content: unknown): string {
  if (!Array.isArray(content)) return stringOf(content);
  return content
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      const { type, text, refusal } = membersOf(part);
      if (silent.has(stringOf(type))) return '';
      return stringOf(text) || stringOf(refusal) || (text === '' ? '' : `[${stringOf(type)}]`);
    })
    .filter((line) => line !== '')
    .join('\n');
}
