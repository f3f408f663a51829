import type { Dialect, StreamReader } from './dialect';
import { chat } from './chat';
import { memberTextsAtEnds } from './hints-at-ends';
import { hintsOfChat } from './hints';
import { JsonView } from './json-view';

/**
 * Embeddings of OpenAI and compatible APIs `{model, data, usage: {prompt_tokens}}`, of Google
 * (which reports no usage) and of Ollama `{model, embeddings, prompt_eval_count}`. The calls are
 * recorded with their model and tokens. They have no conversation and no text, so there is nothing
 * to verify or to rewrite.
 */
export const embeddings: Dialect = {
  name: 'embeddings',
  streamForm: 'sse',
  modelMember: 'model',
  hintsOf: hintsOfChat,
  readRequest: () => null,
  readAnswer: readEmbeddings,
  createReader: () => noStream,
  withSteering: () => null,
  withRule: () => null,
  withCorrection: () => null,
  withText: () => null,
  errorBody: (status, code, message) => chat.errorBody(status, code, message),
  errorEvent: (status, code, message) => chat.errorEvent(status, code, message),
};

const unread = {
  text: '',
  toolCalls: [],
  model: null,
  inputTokens: null,
  outputTokens: null,
  choices: 0,
} as const;

/** @param body both of its ends, if it is long */
function readEmbeddings(body: Buffer): ReturnType<Dialect['readAnswer']> {
  const ends = memberTextsAtEnds(body);
  const at = (name: string): JsonView | null => {
    const text = ends.get(name);
    return text === undefined ? null : JsonView.parse(Buffer.from(text, 'latin1'));
  };
  const tokens = at('usage')?.at('prompt_tokens') ?? at('prompt_eval_count');
  return {
    ...unread,
    model: at('model')?.string() ?? null,
    inputTokens: tokens?.count() ?? null,
    complete: true,
  };
}

/** Embeddings do not stream. */
const noStream: StreamReader = {
  push: () => undefined,
  textBytes: 0,
  openBytes: 0,
  callsTool: false,
  begun: false,
  failed: false,
  lastEventAt: null,
  read: () => ({ ...unread, complete: false }),
};
