import type { GatewayDialect } from '../../domain';
import type { AnswerForm, ParsedAnswer } from '../exchange';
import { chat } from './chat';
import type { Dialect } from './dialect';
import { embeddings } from './embeddings';
import { gemini } from './gemini';
import { messages } from './messages';
import { ollama } from './ollama';
import { responses } from './responses';

const dialects = { chat, responses, messages, gemini, ollama, embeddings } satisfies Record<
  GatewayDialect,
  Dialect
>;

export function dialectOf(name: GatewayDialect): Dialect {
  return dialects[name];
}

/**
 * Parses an answer from the chunks of its body. Null for a JSON body that is not an answer of this
 * API.
 */
export function readChunks(
  dialect: Dialect,
  chunks: readonly Buffer[],
  form: AnswerForm,
): ParsedAnswer | null {
  if (form === 'json')
    return dialect.readAnswer(
      chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
    );
  const reader = dialect.createReader();
  for (const chunk of chunks) reader.push(chunk);
  return reader.read();
}
