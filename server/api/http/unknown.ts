import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { z } from 'zod';
import { readBody } from './body';
import { httpRoutes } from './routes';
import { parse, readJson, refuseParameters } from './door';
import { webIncoming } from './web-incoming';

interface Taken {
  readonly parameters: ReadonlySet<string>;
  /** The handler reads a body of its own: by a schema, or a file. */
  readonly body: boolean;
}

const nothing: Taken = { parameters: new Set(), body: false };

/** A path of the description as the router has it. */
const asRouted = (path: string): string =>
  path.replace('{id}.md', ':id{.+\\.md}').replaceAll(/\{(\w+)\}/g, ':$1');

const taken: ReadonlyMap<string, Taken> = new Map(
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
 * Refuses what the description of a request's route does not have (S-127): query parameters, and
 * members of a body where it has none. Where it has one, its schema refuses them (`parse`). A route
 * that is not described takes neither.
 * @throws AssayError invalid_request naming the nearest known name
 */
export async function refuseUnknown(c: Context, basePath: string): Promise<void> {
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  const { parameters, body } =
    taken.get(`${method} ${routePath(c).slice(basePath.length)}`) ?? nothing;
  refuseParameters(parameters, new URL(c.req.url).searchParams.keys());
  if (body || method === 'GET' || !/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    return;
  const { bytes } = await readBody(webIncoming(c.req.raw));
  if (bytes.length > 0) parse(NoMembers, readJson(bytes) ?? {}, 'body');
}
