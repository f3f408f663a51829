import 'server-only';
import { headers } from 'next/headers';
import { cache } from 'react';
import { webRuntime } from '../../web';
import { createCallContext } from './builders';
import { createCaller } from './router';

/**
 * The router for server components, as the person who makes this request; one for each request. The
 * request's id is the one set by proxy.ts (which overwrites a client's), so that an error page and
 * the log agree.
 */
export const serverCaller = cache(async () => {
  const requestHeaders = new Headers(await headers());
  return createCaller(
    createCallContext(
      webRuntime(),
      requestHeaders,
      requestHeaders.get('x-request-id') ?? undefined,
    ),
  );
});
