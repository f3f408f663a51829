import type { RequestHints } from './dialect';
import { readEnds } from './hints-at-ends';
import { readAll } from './hints-of-all';
import { JsonView } from './json-view';
import { hasMore } from './asks';
import { chatList, type ListShape, messagesList, OTHERS_MAX, responsesInput, toHints } from './list-shape';

/** Bodies up to so many bytes are read from end to end, which is no slower. */
const WHOLE_BYTES = 2048;
/**
 * Where the ends of a larger one say too little it is parsed: what a tool gave, quoted, is walked through in three times the time. Of more
 * bytes or parts than so, parsing takes longer than other calls may wait.
 */
const PARSED_BYTES = { least: 65_536, most: 4 * 1_048_576 } as const;
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
    return atEnds ?? (mayBeParsed(body) ? readParsed(body, shape) : null) ?? readAll(body, shape);
  } catch {
    return { model: null, stream: false, session: null, toolFollowup: false };
  }
}

function mayBeParsed(body: Buffer): boolean {
  const { least, most } = PARSED_BYTES;
  return body.length > least && body.length <= most && !hasMore(body, '{', PARSED_PARTS) && !hasMore(body, '[', PARSED_PARTS);
}

/** Null: it is no JSON. */
function readParsed(body: Buffer, shape: ListShape): RequestHints | null {
  const root = JsonView.parse(body);
  if (root === null) return null;
  const entries = root.at(shape.list)?.items() ?? [];
  const last = entries
    .slice(-1 - OTHERS_MAX)
    .map((entry) => shape.speaker((name) => entry.at(name)))
    .findLast((speaker) => speaker === 'result' || speaker === 'user');
  return toHints((name) => root.at(name), last === 'result', shape);
}
