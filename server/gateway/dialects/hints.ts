import type { RequestHints } from './dialect';
import { readEnds } from './hints-at-ends';
import { readAll } from './hints-of-all';
import { JsonView } from './json-view';
import { hasMore } from './asks';
import { chatList, type ListShape, messagesList, OTHERS_MAX, responsesInput, toHints } from './list-shape';

/** Bodies up to so many bytes are read from end to end, which is no slower. */
const WHOLE_BYTES = 2048;
/** Larger ones of no more parts than so are parsed where their ends say too little: a result of a tool that is long is quoted JSON. */
const QUOTED_BYTES = 65_536;
const PARSED_PARTS = 20_000;

export function hintsOfChat(body: Buffer): RequestHints {
  return hintsOf(body, chatList);
}

export function hintsOfResponses(body: Buffer): RequestHints {
  return hintsOf(body, responsesInput);
}

export function hintsOfMessages(body: Buffer): RequestHints {
  return hintsOf(body, messagesList);
}

/** Nothing is known of a body that is no JSON object. Never throws. */
function hintsOf(body: Buffer, shape: ListShape): RequestHints {
  try {
    const atEnds = body.length > WHOLE_BYTES ? readEnds(body, shape) : null;
    return atEnds ?? (body.length > QUOTED_BYTES ? readParsed(body, shape) : null) ?? readAll(body, shape);
  } catch {
    return { model: null, stream: false, session: null, toolFollowup: false };
  }
}

/** Null: it has too many parts, or is no JSON. */
function readParsed(body: Buffer, shape: ListShape): RequestHints | null {
  const root = hasMore(body, '{', PARSED_PARTS) ? null : JsonView.parse(body);
  if (root === null) return null;
  const entries = root.at(shape.list)?.items() ?? [];
  const last = entries
    .slice(-1 - OTHERS_MAX)
    .map((entry) => shape.speaker((name) => entry.at(name)))
    .findLast((speaker) => speaker === 'result' || speaker === 'user');
  return toHints((name) => root.at(name), last === 'result', shape);
}
