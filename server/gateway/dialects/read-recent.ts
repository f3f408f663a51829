import { hasMore } from './asks';
import type { Dialect, ReadRequest } from './dialect';
import { recentEntries } from './hints-at-ends';
import { chatList, messagesList, responsesInput } from './list-shape';

/**
 * Requests up to so many bytes with so many parts are read whole: it takes some tens of
 * milliseconds, and all other calls wait.
 */
const WHOLE_BYTES = 4 * 1_048_576;
const WHOLE_PARTS = 20_000;

const shapes = { chat: chatList, responses: responsesInput, messages: messagesList } as const;

/**
 * A request as it reads, in a time that is bounded: of a very long one only the messages that were
 * said last, about 1 MiB or 5,000 of them. Null: not a request of this API. `too_long`: nor are its
 * last messages to be found without reading all.
 */
export function readRecent(dialect: Dialect, body: Buffer): ReadRequest | 'too_long' | null {
  if (body.length <= WHOLE_BYTES && !hasMore(body, '{', WHOLE_PARTS))
    return dialect.readRequest(body);
  const recent = recentEntries(body, shapes[dialect.name]);
  return recent === null ? 'too_long' : dialect.readRequest(recent);
}
