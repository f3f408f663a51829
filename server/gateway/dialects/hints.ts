import type { RequestHints } from './dialect';
import { readEnds } from './hints-at-ends';
import { readAll } from './hints-of-all';
import {
  chatList,
  geminiList,
  type ListShape,
  messagesList,
  ollamaList,
  responsesInput,
} from './list-shape';

/** Smaller bodies are scanned completely, which is not slower. */
const WHOLE_BYTES = 2048;
export function hintsOfChat(body: Buffer): RequestHints {
  return hintsOf(body, chatList);
}

export function hintsOfResponses(body: Buffer): RequestHints {
  return hintsOf(body, responsesInput);
}

export function hintsOfMessages(body: Buffer): RequestHints {
  return hintsOf(body, messagesList);
}

export function hintsOfGemini(body: Buffer): RequestHints {
  return hintsOf(body, geminiList);
}

export function hintsOfOllama(body: Buffer): RequestHints {
  return hintsOf(body, ollamaList);
}

/** All hints are unknown if the body is not a JSON object. Never throws. */
function hintsOf(body: Buffer, shape: ListShape): RequestHints {
  try {
    return (body.length > WHOLE_BYTES ? readEnds(body, shape) : null) ?? readAll(body, shape);
  } catch {
    return { model: null, stream: false, session: null, toolFollowup: false };
  }
}
