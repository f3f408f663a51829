import type { ModelAnswer, ModelRequest } from './exchange';

/** How one HTTP API of a model vendor writes requests, answers and streams. */
export interface Dialect {
  /** The end of the paths of its calls. */
  readonly path: RegExp;
  request(body: Readonly<Record<string, unknown>>): ModelRequest;
  readAnswer(body: Readonly<Record<string, unknown>>): ModelAnswer;
  /** @param events the data of the stream's events; they may end early */
  streamed(events: readonly Readonly<Record<string, unknown>>[]): ModelAnswer;
}

/** The error that a stream reports in a separate event; null if it reports none. */
export function errorIn(events: readonly Readonly<Record<string, unknown>>[]): string | null {
  for (const event of events) {
    const { error, type, message } = event;
    if (typeof error === 'object' && error !== null && 'message' in error)
      return String(error.message);
    if (type === 'error' && typeof message === 'string') return message;
  }
  return null;
}
