import { type NextRequest, NextResponse } from 'next/server';

/** Set by next.config.ts when the development server runs. */
declare const ASSAY_DEVELOPMENT: boolean | undefined;

/**
 * `style-src-attr` is open because charts position by style attributes; a style attribute cannot
 * run code.
 */
function contentPolicy(nonce: string): string {
  const development = typeof ASSAY_DEVELOPMENT !== 'undefined' && ASSAY_DEVELOPMENT;
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Sets the content policy with a fresh nonce, and passes pages their own path and a request id to
 * show on failure. Who may see what is never decided here: a proxy can be passed by
 * (CVE-2025-29927), so pages and procedures decide.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const policy = contentPolicy(nonce);
  const requestId = `req_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`;
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('x-request-id', requestId);
  headers.set('x-assay-path', request.nextUrl.pathname + request.nextUrl.search);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-request-id', requestId);
  return response;
}

export const config = { matcher: ['/((?!api/|docs(?:/|$)|_next/static|fonts/|icon.svg).*)'] };
