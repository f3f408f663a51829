import { messageOf } from '../client/post';
import { readError } from '../client/read-reply';
import { anthropicMessages } from './anthropic-messages';
import { chat } from './chat';
import { type Dialect, errorIn } from './dialect';
import { type Exchange, noAnswer, turnOf } from './exchange';
import type { Recorder } from './recorder';
import { responses } from './responses';
import { tapStream } from './tap-stream';

/** Records the calls of models that pass through a `fetch`; the caller gets each byte unchanged. */

type Fetch = typeof globalThis.fetch;
type Json = Readonly<Record<string, unknown>>;

const dialects: readonly Dialect[] = [chat, responses, anthropicMessages];

/** Attempts that the vendor's client repeats are not separate calls. */
export interface Retries {
  /** The limit of retries of the client. */
  readonly max: () => number;
}

interface Watched {
  readonly dialect: Dialect;
  readonly signal: AbortSignal | null;
  readonly record: (end: Pick<Exchange, 'answer' | 'error'>) => void;
}

export function watchFetch(inner: Fetch, recorder: Recorder, retries: Retries): Fetch {
  return async (input, init) => {
    const watched = begin(recorder, input, init);
    if (watched === null) return inner(input, init);
    const isRepeated = retryCount(init) < retries.max();
    let response: Response;
    try {
      response = await inner(input, init);
    } catch (error) {
      if (!isRepeated) watched.record({ answer: noAnswer, error: messageOf(error) });
      throw error;
    }
    // Other implementations of fetch may have other streams.
    if (!(response.body instanceof ReadableStream)) return response;
    if (!response.ok && isRepeated && isRetried(response)) return response;
    return observed(response, response.body, watched);
  };
}

/** Null if it is not a call of a model. */
function begin(
  recorder: Recorder,
  input: Parameters<Fetch>[0],
  init: Parameters<Fetch>[1],
): Watched | null {
  try {
    const url = new URL(input instanceof Request ? input.url : input);
    const dialect = dialects.find(({ path }) => path.test(url.pathname));
    if (dialect === undefined || typeof init?.body !== 'string') return null;
    const { body } = init;
    const startedAt = new Date();
    const hostMembers = recorder.begin();
    const record: Watched['record'] = (end) => {
      const endedAt = new Date();
      // The request is read after it was answered, so that it is not sent later.
      recorder.record(hostMembers, () =>
        turnOf({ request: dialect.request(JSON.parse(body) as Json), startedAt, endedAt, ...end }),
      );
    };
    return { dialect, signal: init.signal ?? null, record };
  } catch {
    // This file does not know the request.
    return null;
  }
}

/** Clients of OpenAI and Anthropic number their attempts. */
function retryCount(init: Parameters<Fetch>[1]): number {
  return Number(new Headers(init?.headers).get('x-stainless-retry-count') ?? 0);
}

/** The statuses that those clients send again. */
function isRetried({ status, headers }: Response): boolean {
  const retryHeader = headers.get('x-should-retry');
  if (retryHeader === 'true' || retryHeader === 'false') return retryHeader === 'true';
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function observed(
  response: Response,
  body: NonNullable<Response['body']>,
  { dialect, record, signal }: Watched,
): Response {
  const { status, statusText, headers, url } = response;
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
  const finish = (failure: string | null): void => {
    const text = pieces.join('') + decoder.decode();
    if (!response.ok) {
      const { code, message } = readError(text, status);
      return record({ answer: noAnswer, error: failure ?? `${status} ${code}: ${message}` });
    }
    if (!isStream) {
      const answer = failure === null ? dialect.readAnswer(JSON.parse(text) as Json) : noAnswer;
      return record({ answer, error: failure });
    }
    const events = eventsOf(text);
    record({ answer: dialect.streamed(events), error: failure ?? errorIn(events) });
  };
  const end = (failure: string | null): void => {
    try {
      finish(failure);
    } catch (error) {
      record({ answer: noAnswer, error: `the answer is not readable: ${messageOf(error)}` });
    }
  };
  const item = (bytes: Uint8Array): number => pieces.push(decoder.decode(bytes, { stream: true }));
  const tapped = tapStream(body, { item, end }, signal);
  const passed = new Response(tapped, { status, statusText, headers });
  return Object.defineProperty(passed, 'url', { value: url });
}

/**
 * The JSON data of server-sent events: lines `data:`, events that end with an empty line. The
 * marker `[DONE]` and an event that was cut off are omitted.
 */
function eventsOf(text: string): Json[] {
  return text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5))
      .join('\n');
    try {
      const value: unknown = JSON.parse(data);
      return typeof value === 'object' && value !== null ? [value as Json] : [];
    } catch {
      return [];
    }
  });
}
