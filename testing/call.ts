import { createApp } from '../server/api/http';
import type { Runtime } from '../server/runtime';

export type Json = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Json;
}

/**
 * Calls the HTTP API in this process. A string or bytes are sent unchanged, anything else as JSON.
 */
export function createCaller(
  runtime: Runtime,
  key: string,
): (
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  method?: string,
) => Promise<Reply> {
  const app = createApp(runtime);
  return async (path, body, headers = {}, method = body === undefined ? 'GET' : 'POST') => {
    const sent =
      body === undefined
        ? {}
        : {
            body:
              typeof body === 'string'
                ? body
                : Buffer.isBuffer(body)
                  ? new Uint8Array(body)
                  : JSON.stringify(body),
          };
    const response = await app.request(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...sent,
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) as Json };
  };
}
