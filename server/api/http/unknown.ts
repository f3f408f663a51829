import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { z } from 'zod';
import { readBody } from './body';
import { httpRoutes } from './routes';
import { parse, readJsonBody, refuseParameters } from './request-input';
import { webIncoming } from './web-incoming';

interface AcceptedMembers {
  readonly parameters: ReadonlySet<string>;
  /** The handler reads its body itself: by a schema, or as a file. */
  readonly body: boolean;
}

const acceptsNothing: AcceptedMembers = { parameters: new Set(), body: false };

/** A described path in the router's syntax. */
const asRouted = (path: string): string =>
  path.replace('{id}.md', ':id{.+\\.md}').replaceAll(/\{(\w+)\}/g, ':$1');

const taken: ReadonlyMap<string, AcceptedMembers> = new Map(
  httpRoutes.map(({ method, path, query, body }) => [
    `${method.toUpperCase()} ${asRouted(path)}`,
    {
      parameters: new Set(Object.keys(query?.shape ?? {})),
      body: body !== undefined || path === '/v1/import',
    },
  ]),
);

const NoMembers = z.strictObject({});

/**
 * Refuses query parameters, and members of a body where the route has none, that are not in the
 * route's description (S-127). Where the route has a body, its schema refuses them (`parse`). An
 * undescribed route accepts neither.
 *
 * @throws AssayError invalid_request naming the nearest known name
 */
export async function refuseUnknown(c: Context, basePath: string): Promise<void> {
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  const { parameters, body } =
    taken.get(`${method} ${routePath(c).slice(basePath.length)}`) ?? acceptsNothing;
  refuseParameters(parameters, new URL(c.req.url).searchParams.keys());
  if (body || method === 'GET' || !/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    return;
  const { bytes } = await readBody(webIncoming(c.req.raw));
  if (bytes.length > 0) parse(NoMembers, readJsonBody(bytes) ?? {}, 'body');
}
