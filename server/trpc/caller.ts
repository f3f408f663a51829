import 'server-only';
import { headers } from 'next/headers';
import { cache } from 'react';
import { webRuntime } from '../web';
import { createCallContext } from './builders';
import { createCaller } from './router';

/** The router for server components, as the person whose request this is; one for each request. */
export const serverCaller = cache(async () => createCaller(createCallContext(webRuntime(), new Headers(await headers()))));
