import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { Runtime } from '../runtime';
import { createCallContext } from './builders';
import { appRouter } from './router';

/** Calls in one batch at the most (S-16). */
const batchMax = 20;
const bodyMax = 1024 * 1024;

/**
 * The typed door over HTTP. A call that changes anything must come from the console's own pages: JSON only,
 * own `Origin`, and never `Sec-Fetch-Site` of another site (S-60). Queries are GET and change nothing.
 */
export async function handleTrpc(runtime: Runtime, request: Request): Promise<Response> {
  const refusal = refuseForeign(request, runtime.ctx.env.webUrl);
  if (refusal !== null) return Response.json({ error: { message: refusal.message } }, { status: refusal.status });
  const path = new URL(request.url).pathname.replace(/^\/api\/trpc\//, '');
  if (path.split(',').length > batchMax) return Response.json({ error: { message: `at most ${batchMax} calls in a batch` } }, { status: 413 });
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: () => createCallContext(runtime, request.headers),
  });
}

interface Refusal {
  readonly status: 403 | 405 | 413 | 415;
  readonly message: string;
}

/** Why a request is not one of the console's own, or null. Exported for the sign-in routes, which have the same rule. */
export function refuseForeign(request: Request, webUrl: string): Refusal | null {
  const site = request.headers.get('sec-fetch-site');
  if (request.method === 'GET' || request.method === 'HEAD') {
    return site === 'cross-site' ? { status: 403, message: 'not from another site' } : null;
  }
  if (request.method !== 'POST') return { status: 405, message: 'GET and POST only' };
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return { status: 415, message: 'application/json only' };
  if (request.headers.get('origin') !== new URL(webUrl).origin) return { status: 403, message: 'not from this origin' };
  if (site !== null && site !== 'same-origin') return { status: 403, message: 'not from another site' };
  if (Number(request.headers.get('content-length') ?? '0') > bodyMax) return { status: 413, message: 'at most 1 MiB' };
  return null;
}
