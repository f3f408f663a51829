import type { GatewayDialect } from '../../domain';
import type { ParsedAnswer } from '../exchange';
import { chat } from './chat';
import type { Dialect } from './dialect';
import { messages } from './messages';
import { responses } from './responses';

/**
 * The three APIs that the gateway parses. Everything else is passed through, including Gemini's own
 * `…:generateContent`, whose schema would be `responseSchema` with `responseMimeType` (INT-17); its
 * OpenAI-compatible API is parsed as `chat`.
 */
const dialects = { chat, responses, messages } satisfies Record<GatewayDialect, Dialect>;

export function dialectOf(name: GatewayDialect): Dialect {
  return dialects[name];
}

/**
 * The API of a path after `/gateway/{route}/v1`, without a query; null: the call is passed through.
 */
export function dialectOfPath(method: string, path: string): GatewayDialect | null {
  return method === 'POST' ? (paths.get(path) ?? null) : null;
}

const paths = new Map<string, GatewayDialect>([
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
]);

/**
 * Parses an answer from the chunks of its body. Null: a JSON body that is not an answer of this
 * API.
 */
export function readChunks(
  dialect: Dialect,
  chunks: readonly Buffer[],
  form: 'sse' | 'json',
): ParsedAnswer | null {
  if (form === 'json')
    return dialect.readAnswer(
      chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
    );
  const reader = dialect.createReader();
  for (const chunk of chunks) reader.push(chunk);
  return reader.read();
}
