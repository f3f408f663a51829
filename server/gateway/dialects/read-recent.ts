import { hasMore } from './asks';
import type { Dialect, ReadRequest } from './dialect';
import { recentEntries } from './hints-at-ends';
import { chatList, geminiList, messagesList, ollamaList, responsesInput } from './list-shape';

/**
 * Requests up to this size and complexity are parsed completely, which blocks all other calls for
 * some tens of milliseconds.
 */
const WHOLE_BYTES = 4 * 1_048_576;
const WHOLE_PARTS = 20_000;

const shapes = {
  chat: chatList,
  responses: responsesInput,
  messages: messagesList,
  gemini: geminiList,
  ollama: ollamaList,
  embeddings: chatList,
} as const;

/**
 * Parses a request in bounded time: only the latest messages of a very long one, about 1 MiB or
 * 5,000 messages. Null if it is not a request of this API. `too_long`: its latest messages cannot
 * be found without parsing the whole request.
 */
export function readRecent(dialect: Dialect, body: Buffer): ReadRequest | 'too_long' | null {
  if (body.length <= WHOLE_BYTES && !hasMore(body, '{', WHOLE_PARTS))
    return dialect.readRequest(body);
  const recent = recentEntries(body, shapes[dialect.name]);
  return recent === null ? 'too_long' : dialect.readRequest(recent);
}
