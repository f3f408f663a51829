import { sliceItems, sliceMembers } from '../../domain';
import { invalid } from '../../platform';

/** A text answer of a conversation, as parts of a turn in JSON text. */
export interface ChatTurn {
  /** Position of the answer among the messages. */
  readonly at: number;
  readonly output: string;
  /** Tool results since the last question. */
  readonly tools: readonly string[];
  /** The messages before it. */
  readonly input: readonly string[];
}

/**
 * Every answer of a long conversation would repeat its whole history: only this many of the latest
 * characters are kept.
 */
const inputChars = 64 * 1024;

/**
 * The text answers of a conversation in the format of OpenAI's chat API, read from JSON text.
 * @throws AssayError invalid_request
 */
export function* readChat(raw: string): Generator<ChatTurn> {
  if (!raw.startsWith('[')) throw invalid('messages: must be an array');
  const before: string[] = [];
  const calls = new Map<string, { readonly name: string; readonly arguments: string | null }>();
  let tools: string[] = [];
  let at = -1;
  for (const slice of sliceItems(raw)) {
    at++;
    const text = raw.slice(slice.start, slice.end);
    const message = readMessage(text);
    if (message.role === 'user') tools = [];
    for (const call of readCalls(message.calls)) calls.set(call.id, call);
    if (message.role === 'tool') tools.push(toolText(message, calls));
    const output = message.role === 'assistant' ? contentText(message.content) : null;
    if (output !== null) yield { at, output, tools, input: latest(before) };
    if (message.content !== null || message.calls !== null) before.push(text);
  }
}

interface ChatMessage {
  readonly role: string;
  /** JSON text, or null. */
  readonly content: string | null;
  readonly calls: string | null;
  readonly callId: string | null;
  readonly name: string | null;
}

function readMessage(text: string): ChatMessage {
  const read = memberReader(text);
  return {
    role: stringOf(read('role')) ?? '',
    content: read('content'),
    calls: read('tool_calls'),
    callId: stringOf(read('tool_call_id')),
    name: stringOf(read('name')),
  };
}

function readCalls(raw: string | null): { id: string; name: string; arguments: string | null }[] {
  if (raw === null) return [];
  return sliceItems(raw).flatMap((slice) => {
    const read = memberReader(raw.slice(slice.start, slice.end));
    const readCall = memberReader(read('function') ?? '{}');
    const id = stringOf(read('id'));
    return id === null
      ? []
      : [{ id, name: stringOf(readCall('name')) ?? 'tool', arguments: readCall('arguments') }];
  });
}

function toolText(
  message: ChatMessage,
  calls: ReadonlyMap<string, { readonly name: string; readonly arguments: string | null }>,
): string {
  const call = message.callId === null ? undefined : calls.get(message.callId);
  const name = message.name ?? call?.name ?? 'tool';
  const members = [
    ...(message.callId === null ? [] : [`"id":${JSON.stringify(message.callId)}`]),
    `"name":${JSON.stringify(name)}`,
    ...(call?.arguments === null || call === undefined ? [] : [`"arguments":${call.arguments}`]),
    `"result":${message.content ?? 'null'}`,
  ];
  return `{${members.join(',')}}`;
}

/** The text of a message's content, which may be a list of parts; null where it has none. */
function contentText(raw: string | null): string | null {
  if (raw === null) return null;
  const text = stringOf(raw);
  if (text !== null) return text.trim() === '' ? null : raw;
  const parts = sliceItems(raw).flatMap(
    (slice) => stringOf(memberReader(raw.slice(slice.start, slice.end))('text')) ?? [],
  );
  return parts.join('').trim() === '' ? null : JSON.stringify(parts.join('\n'));
}

function latest(before: readonly string[]): string[] {
  let chars = 0;
  let first = before.length;
  while (first > 0) {
    chars += before[first - 1]?.length ?? 0;
    if (chars > inputChars && first < before.length) break;
    first--;
  }
  return before.slice(first);
}

function memberReader(text: string): (name: string) => string | null {
  const members = sliceMembers(text);
  return (name) => {
    const slice = members.get(name);
    const raw = slice === undefined ? 'null' : text.slice(slice.start, slice.end);
    return raw === 'null' ? null : raw;
  };
}

function stringOf(raw: string | null): string | null {
  return raw?.startsWith('"') === true ? (JSON.parse(raw) as string) : null;
}
