import { createHttpApi } from './http-api';
import { newUuid } from './ids';
import type { Settings } from './options';
import type { HttpRequest } from './post';
import { AssayError } from './verify';

/** Calls of the routes of the HTTP API, by their names. */

export interface CallOptions {
  /** For all attempts together, in milliseconds (`requestTimeoutMs` of the client). */
  timeoutMs?: number;
  signal?: AbortSignal;
  /**
   * For a POST: repeated calls with the same key count once. The client creates one for each call.
   */
  idempotencyKey?: string;
}

export interface LooseInput extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** @throws AssayError */
export async function callRoute(
  settings: Settings,
  route: string,
  input: LooseInput = {},
): Promise<Record<string, unknown>> {
  if (settings.misconfigured !== null) throw errorOf('misconfigured', settings.misconfigured);
  const { query, body, signal, timeoutMs = settings.requestTimeoutMs } = input;
  const [method = '', template = ''] = route.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name] ?? '';
    // An empty one would address another route.
    if (value === '') throw errorOf('invalid', `${name}: is empty; ${route} needs it`);
    return encodeURIComponent(value);
  });
  const api = createHttpApi(
    { ...settings, requestTimeoutMs: timeoutMs },
    {
      fail: (failure) => new AssayError(failure),
      urlSetting: 'the option `url` or ASSAY_URL',
      retryForMs: timeoutMs,
      signal,
    },
  );
  return api.call(path, {
    method: method as HttpRequest['method'],
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body: jsonOf(body) }),
    headers: method === 'POST' ? { 'idempotency-key': input.idempotencyKey ?? newUuid() } : {},
  });
}

/** All entries of a list. @throws AssayError */
export async function* pagesOf(
  settings: Settings,
  route: string,
  input: LooseInput = {},
): AsyncGenerator<unknown, void, undefined> {
  let cursor = input.query?.cursor;
  do {
    const query = { limit: 200, ...input.query, cursor };
    const page = await callRoute(settings, route, { ...input, query });
    yield* page.data as unknown[];
    cursor = typeof page.next_cursor === 'string' ? page.next_cursor : undefined;
  } while (cursor !== undefined);
}

/** @throws AssayError `not_json` */
function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw errorOf('not_json', `the body is not JSON: ${String(error)}`);
  }
}

const errorOf = (code: string, message: string): AssayError =>
  new AssayError({ code, message, status: null });
