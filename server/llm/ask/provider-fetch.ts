import type { Pool } from 'undici';
import { type Ctx, guardedFetch, OutboundError, outboundPolicy } from '../../platform';

/** Maximum number of reply bytes read; no judge's answer is longer. */
export const replyBytesMax = 1024 * 1024;

/** The outcome of one HTTP call, in addition to the SDK's result. */
export interface Exchange {
  status: number | null;
  headers: ReadonlyMap<string, string>;
  /** The reply as text; null if none arrived complete. */
  body: string | null;
  fault: OutboundError | null;
}

export interface ProviderFetch {
  readonly fetch: typeof globalThis.fetch;
  readonly exchange: Exchange;
}

/** Statuses whose reply has no body by definition; the Response constructor rejects one. */
const bodiless = new Set([204, 205, 304]);

/**
 * `fetch` for one call of the SDK, over a guarded, pooled connection: to this provider's origin
 * only, without redirects, at most 1 MiB, uncompressed, within `deadlineMs` from DNS lookup to last byte.
 * Refuses a second call, since retries are not left to the SDK.
 */
export function createProviderFetch(
  ctx: Pick<Ctx, 'env'>,
  origin: string,
  { deadlineMs, poolOf }: { readonly deadlineMs: number; readonly poolOf: (url: URL) => Pool },
): ProviderFetch {
  const exchange: Exchange = { status: null, headers: new Map(), body: null, fault: null };
  const refuse = (message: string): OutboundError =>
    (exchange.fault = new OutboundError('refused', message));
  let called = false;
  const fetch = async (
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    if (called || new URL(url).origin !== origin) throw refuse('a call to another address');
    called = true;
    try {
      const request = {
        method: 'POST' as const,
        url,
        headers: new Map([...new Headers(init.headers).entries(), ['user-agent', 'assay']]),
        body: typeof init.body === 'string' ? init.body : null,
        deadlineMs,
        replyBytesMax,
        ...(init.signal == null ? {} : { signal: init.signal }),
      };
      const reply = await guardedFetch(outboundPolicy(ctx.env), request, { poolOf });
      exchange.status = reply.status;
      exchange.headers = reply.headers;
      const coding = reply.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
      if (coding !== '' && coding !== 'identity')
        throw refuse('a compressed reply, which was not requested');
      exchange.body = reply.body.toString('utf8');
      const status = reply.status >= 200 && reply.status <= 599 ? reply.status : 502;
      const contentType = reply.headers.get('content-type');
      return new Response(bodiless.has(status) ? null : exchange.body, {
        status,
        headers: contentType === undefined ? {} : { 'content-type': contentType },
      });
    } catch (error) {
      if (error instanceof OutboundError) exchange.fault ??= error;
      throw error;
    }
  };
  return { fetch, exchange };
}
