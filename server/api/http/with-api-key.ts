import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import { newId } from '../../platform';
import type { Pool } from '../../pool';
import { answerError } from './answer';
import { collectAny } from './body';
import type { HttpDeps } from './deps';
import type { WithApiKey, Handler } from './request-input';
import { answerInPool } from './offload';
import { CONTINUES_HEADER, isRead } from './thread-request';
import { refuseUnknown } from './unknown';
import { webIncoming } from './web-incoming';

/** Maximum number of rows of a list that is read on the event loop. */
const FEW_ROWS = 50;
/** Reads without a row limit, or of whole texts: a trace with all its spans, turns. */
const unlimited =
  /\/v1\/(?:traces\/[^/]|turns(?:\/|$)|sessions\/[^/]+\/turns|experiments\/compare(?:\/|$)|datasets\/[^/]+\/(?:diff|versions\/\d))/;

/**
 * Reading a file, like reading a batch, is linear in its bytes: 20 MiB are accepted and take a few
 * seconds at most.
 */
const FILE_FACTOR = 10;

/**
 * Imports read a file; previews and backfills of rules read stored subjects; a comparison of
 * experiments does an equal amount of work for each verifier and slice.
 */
const readsMuch = (path: string): boolean =>
  path === '/v1/import' ||
  /^\/v1\/(?:rules\/(?:preview|[^/]+\/backfill)|experiments\/(?:compare|[^/]+\/gate))$/.test(path);

/** Whether an answer may be too large to be built on the event loop. */
export function isLargeRead({ pathname, searchParams }: URL): boolean {
  return unlimited.test(pathname) || Number(searchParams.get('limit') ?? 0) > FEW_ROWS;
}

/**
 * Checks the key, and passes every request that changes or verifies something to a thread of the
 * pool, which parses the body, verifies it and writes the answer; large reads too. Other reads, and
 * all requests without a pool, are handled here.
 */
export function createWithApiKey(deps: HttpDeps, basePath: string): WithApiKey {
  const { ctx } = deps;
  return (scope, handle) => {
    const handleInline: Handler = async (c, project, requestId) => {
      await refuseUnknown(c, basePath);
      return handle(c, project, requestId);
    };
    return async (c): Promise<Response> => {
      const requestId = newId('req', ctx.clock.now());
      try {
        const project = await deps.keys.authorize(c.req.header('authorization'), scope);
        const response =
          deps.pool === null || (isRead(c.req.method) && !isLargeRead(new URL(c.req.url)))
            ? await handleInline(c, project, requestId)
            : await offload(deps, deps.pool, c, project, basePath);
        response.headers.set('x-request-id', requestId);
        return response;
      } catch (error) {
        return answerError(c, error, requestId, ctx.log);
      }
    };
  };
}

async function offload(
  deps: HttpDeps,
  pool: Pool,
  c: Context,
  project: ProjectCtx,
  basePath: string,
): Promise<Response> {
  const incoming = webIncoming(c.req.raw);
  const admitted = await deps.admission.enter(
    project.projectId,
    Number(incoming.header('content-length') ?? 'NaN'),
  );
  try {
    const body = await collectAny(incoming, admitted.hold);
    const { pathname, search } = new URL(c.req.url);
    const path = pathname.slice(basePath.length);
    const request = {
      method: c.req.method,
      path: path + search,
      headers: [...c.req.raw.headers].filter(([name]) => name !== CONTINUES_HEADER),
      body,
      budgetFactor: readsMuch(path) ? FILE_FACTOR : 1,
    };
    const answer = await answerInPool({ pool, owner: deps.owner }, project, {
      ...request,
      signal: c.req.raw.signal,
    });
    const headers = answer.headers.map(([name, value]): [string, string] => [name, value]);
    return new Response(answer.body, { status: answer.status, headers });
  } finally {
    admitted.leave();
  }
}
