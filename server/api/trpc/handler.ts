import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { Runtime } from '../../runtime';
import { createCallContext } from './builders';
import { appRouter } from './router';

/** Maximum number of calls in a batch (S-16). */
const batchMax = 20;
const bodyMax = 1024 * 1024;

/**
 * tRPC over HTTP. A call that changes anything must come from the console's own pages: JSON only,
 * own `Origin`, and never `Sec-Fetch-Site` of another site (S-60). Queries are GET and change
 * nothing.
 */
export async function handleTrpc(runtime: Runtime, request: Request): Promise<Response> {
  const admitted = await admitSameOrigin(request, runtime.ctx.env.webUrl);
  if ('refusal' in admitted)
    return Response.json(
      { error: { message: admitted.refusal.message } },
      { status: admitted.refusal.status },
    );
  const context = createCallContext(runtime, request.headers);
  const response = await fetchRequestHandler({
    endpoint: '/api/trpc',
    req: admitted.request,
    router: appRouter,
    maxBatchSize: batchMax,
    createContext: () => context,
  });
  response.headers.set('x-request-id', context.requestId);
  return response;
}

interface Refusal {
  readonly status: 403 | 405 | 413 | 415;
  readonly message: string;
}

/**
 * Admits a request of the console's own pages and reads its body of at most 1 MiB, or returns a
 * refusal. Exported for the sign-in routes, which have the same rule.
 */
export async function admitSameOrigin(
  request: Request,
  webUrl: string,
): Promise<{ readonly request: Request } | { readonly refusal: Refusal }> {
  const refusal = refuseCrossOrigin(request, webUrl);
  if (refusal !== null) return { refusal };
  if (request.body === null) return { request };
  const body = await readLimited(request.body);
  if (body === null) return { refusal: tooLarge };
  const { method, headers, signal } = request;
  return { request: new Request(request.url, { method, headers, signal, body }) };
}

const tooLarge: Refusal = {
  status: 413,
  message: 'The body is larger than 1 MiB; send less at once.',
};

function refuseCrossOrigin(request: Request, webUrl: string): Refusal | null {
  const site = request.headers.get('sec-fetch-site');
  if (request.method === 'GET' || request.method === 'HEAD') {
    return site === 'cross-site'
      ? { status: 403, message: 'Requests from another site are not allowed.' }
      : null;
  }
  if (request.method !== 'POST') return { status: 405, message: 'Only GET and POST are allowed.' };
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    return { status: 415, message: 'The content type must be application/json.' };
  if (!isOwnOrigin(request.headers.get('origin'), webUrl))
    return {
      status: 403,
      message: `Requests from this origin are not allowed. Open the console at ${webUrl}.`,
    };
  if (site !== null && site !== 'same-origin')
    return { status: 403, message: 'Requests from another site are not allowed.' };
  if (Number(request.headers.get('content-length') ?? '0') > bodyMax) return tooLarge;
  return null;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True for the console's own origin. On the local machine all loopback names count, since people
 * type any of them.
 */
function isOwnOrigin(origin: string | null, webUrl: string): boolean {
  if (origin === null || !URL.canParse(origin)) return false;
  const requestOrigin = new URL(origin);
  const ownOrigin = new URL(webUrl);
  if (requestOrigin.origin === ownOrigin.origin) return true;
  const samePort =
    requestOrigin.protocol === ownOrigin.protocol && requestOrigin.port === ownOrigin.port;
  return (
    samePort && loopbackNames.has(requestOrigin.hostname) && loopbackNames.has(ownOrigin.hostname)
  );
}

/** Null for a body over the limit, regardless of the declared length. */
async function readLimited(body: ReadableStream<Uint8Array>): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, size);
    size += value.length;
    if (size > bodyMax) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
}
