import { RequestError } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  asAssayError,
  type Ctx,
  dataHeaders,
  type ErrorCode,
  errorText,
  invalid,
  type Logger,
  newId,
} from '../../platform';

const statusOf: Record<ErrorCode, ContentfulStatusCode> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  refused: 422,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
};

/**
 * The only place where HTTP handlers map errors to answers: unknown error text is never exposed,
 * and storage faults are 503 with Retry-After.
 */
export function errorAnswer(
  log: Logger,
  error: unknown,
  requestId: string,
  route: string,
): ErrorAnswer {
  const known = asAssayError(error);
  if (known.code === 'internal' || known.code === 'unavailable') {
    log[known.code === 'internal' ? 'error' : 'warn'](
      { err: error, requestId, route },
      'request failed',
    );
  }
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    'content-type': 'application/json',
  };
  if (known.code === 'unavailable' || known.code === 'rate_limited')
    headers['retry-after'] = String(known.retryAfterS ?? 1);
  if (known.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  if (known.code === 'too_large') headers.connection = 'close';
  const body = {
    error: {
      code: known.code,
      ...errorText(known),
      request_id: requestId,
    },
  };
  return { status: statusOf[known.code], headers, body: JSON.stringify(body) };
}

export interface ErrorAnswer {
  readonly status: ContentfulStatusCode;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The same for Hono. */
export function answerError(c: Context, error: unknown, requestId: string, log: Logger): Response {
  const { status, headers, body } = errorAnswer(log, error, requestId, c.req.path);
  return c.body(body, status, headers);
}

/**
 * The answer to a request that reached no route because its path or host cannot be read, such as
 * one with a backslash. `error` is that of `getRequestListener`.
 */
export function answerUnreadable(
  { clock, log }: Pick<Ctx, 'clock' | 'log'>,
  error: unknown,
): Response {
  const known =
    error instanceof RequestError
      ? invalid(`the address of the request cannot be read: ${error.message}`)
      : error;
  const { status, headers, body } = errorAnswer(log, known, newId('req', clock.now()), 'unread');
  return new Response(body, {
    status,
    headers: { ...headers, ...dataHeaders },
  });
}
