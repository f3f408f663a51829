import { isSdkModel, wrapSdkModel } from './ai-sdk';
import { createRecorder, type WrapOptions } from './recorder';
import { watchFetch } from './watch-fetch';

/**
 * Records the calls of a model client as turns, in the background
 * (docs/how-to/wrap-clients.md). The application's own results stay the same.
 */

export type { WrapOptions, WrappedTurn } from './recorder';

/** The part of the clients of OpenAI and Anthropic that is used here. */
interface FetchingClient {
  withOptions(options: { fetch: typeof globalThis.fetch }): object;
  readonly fetch?: unknown;
  readonly maxRetries?: unknown;
}

/**
 * A client of the same type, whose calls are recorded: a client of OpenAI or Anthropic (chat
 * completions, responses and messages, streamed or not), or a language model of the AI SDK. The
 * given client stays unchanged.
 *
 * @throws TypeError for any other value, and for invalid options
 */
export function wrap<Client extends object>(client: Client, options: WrapOptions = {}): Client {
  const recorder = createRecorder(options);
  if (isSdkModel(client)) return wrapSdkModel(client, recorder);
  if (!isFetchingClient(client))
    throw new TypeError(
      'wrap: the client must be one of OpenAI or Anthropic that has `withOptions`, or a language model of the AI SDK',
    );
  const { fetch } = client;
  const inner =
    typeof fetch === 'function'
      ? (fetch as typeof globalThis.fetch)
      : (globalThis.fetch.bind(globalThis) as typeof globalThis.fetch);
  const max = (): number => (typeof client.maxRetries === 'number' ? client.maxRetries : 0);
  return client.withOptions({ fetch: watchFetch(inner, recorder, { max }) }) as Client;
}

const isFetchingClient = (client: object): client is FetchingClient =>
  'withOptions' in client && typeof client.withOptions === 'function';
