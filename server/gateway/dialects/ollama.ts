import { appendMessages, readChatRequest, withChatRule } from './chat-request';
import type { Dialect, EnvelopeShape, ReadRequest } from './dialect';
import { hintsOfOllama } from './hints';
import { JsonView } from './json-view';
import { OllamaStreamReader, readOllamaAnswer, withOllamaText } from './ollama-answer';

/**
 * Ollama's own chat (https://docs.ollama.com/api/chat). Its requests are those of OpenAI's chat
 * completions with another response format and no choices; it streams JSON lines by default.
 */
export const ollama: Dialect = {
  name: 'ollama',
  streamForm: 'ndjson',
  modelMember: 'model',
  hintsOf: hintsOfOllama,
  readRequest: readOllamaRequest,
  readAnswer: readOllamaAnswer,
  createReader: () => new OllamaStreamReader(),
  withSteering: (body, message) => appendMessages(body, [{ role: 'system', content: message }]),
  withRule: withOllamaRule,
  withCorrection: (body, answer, correction) => {
    const previous = answer === '' ? [] : [{ role: 'assistant', content: answer }];
    return appendMessages(body, [...previous, { role: 'user', content: correction }]);
  },
  withText: withOllamaText,
  errorBody: (_status, _code, message) => Buffer.from(JSON.stringify({ error: message })),
  errorEvent: (_status, _code, message) => Buffer.from(`${JSON.stringify({ error: message })}\n`),
};

function readOllamaRequest(body: Buffer, earlier = false): ReadRequest | null {
  const read = readChatRequest(body, earlier);
  if (read === null) return null;
  return { ...read, stream: JsonView.parse(body)?.at('stream')?.json() !== 'false' };
}

/** The schema is the `format` (INT-17). */
function withOllamaRule(
  body: Buffer,
  rule: string,
  schema: object | null,
  shape: EnvelopeShape,
): Buffer | null {
  const members: [string, string][] =
    schema !== null && shape === 'json_schema' ? [['format', JSON.stringify(schema)]] : [];
  return withChatRule(body, rule, members);
}
