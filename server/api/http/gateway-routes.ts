import { z } from '@hono/zod-openapi';
import { deleteRoute, getRoute, listRoutes, putRoute, type RouteView } from '../../gateway';
import { RouteName, RouteSettings } from '../../gateway/input';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { webIncoming } from './web-incoming';

const RouteReply = z
  .object({
    name: z.string(),
    /**
     * Whether the project stored settings for it, a provider of the project has its name, or it is
     * the operator's default.
     */
    source: z.enum(['project', 'provider', 'environment']),
    ...RouteSettings.shape,
    api: z.enum(['openai', 'anthropic']),
    /** Upstream address; null if the provider that the route names no longer exists. */
    base_url: z.string().nullable(),
    /**
     * The provider whose key is used for clients that send no key of the upstream; null if none.
     */
    provider: z.string().nullable(),
    updated_at: z.string().nullable(),
  })
  .openapi('GatewayRoute');

const Named = z.object({ route: RouteName });

export const gatewayRouteEndpoints: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/gateway/routes',
    scope: 'read',
    summary: 'The routes of the gateway, with all their settings',
    answers: {
      200: z.object({ data: z.array(RouteReply), next_cursor: z.null() }).openapi('GatewayRoutes'),
    },
    handle: async (c, project) =>
      c.json({ data: (await listRoutes(project)).map(routeReply), next_cursor: null }),
  },
  {
    method: 'get',
    path: '/v1/gateway/routes/{route}',
    scope: 'read',
    summary: 'One route of the gateway',
    params: Named,
    answers: { 200: RouteReply },
    handle: async (c, project) =>
      c.json(routeReply(await getRoute(project, c.req.param('route') ?? ''))),
  },
  {
    method: 'put',
    path: '/v1/gateway/routes/{route}',
    scope: 'write',
    summary: 'Set the settings of a route; omitted ones get their defaults',
    params: Named,
    body: RouteSettings,
    answers: { 200: RouteReply },
    handle: async (c, project) => {
      const { route } = parse(Named, { route: c.req.param('route') ?? '' }, 'path');
      const { bytes } = await readBody(webIncoming(c.req.raw));
      return c.json(
        routeReply(
          await putRoute(project, route, parse(RouteSettings, readJsonBody(bytes), 'body')),
        ),
      );
    },
  },
  {
    method: 'delete',
    path: '/v1/gateway/routes/{route}',
    scope: 'write',
    summary: 'Delete the settings of a route',
    params: Named,
    answers: { 200: Named },
    handle: async (c, project) => {
      const route = c.req.param('route') ?? '';
      await deleteRoute(project, route);
      return c.json({ route });
    },
  },
];

function routeReply(route: RouteView): z.infer<typeof RouteReply> {
  return {
    name: route.name,
    source: route.source,
    ...route.settings,
    api: route.api,
    base_url: route.baseUrl,
    provider: route.provider,
    updated_at: route.updatedAt?.toISOString() ?? null,
  };
}
