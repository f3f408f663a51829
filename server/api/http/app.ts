import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { KeyScope } from '../../access';
import { type Ctx, dataHeaders, newId, notFound, pingStorage } from '../../platform';
import { getBoxReport, isSlowLaneUnavailable } from '../../queue';
import { answerError } from './answer';
import { createWithApiKey } from './with-api-key';
import type { HttpDeps } from './deps';
import { describedText } from './description';
import type { WithApiKey } from './request-input';
import { addInstallationMetrics } from './installation-metrics';
import { createIntake, type Intake, intakePaths } from './intake';
import { isMasked, maskRequest } from './mask-body';
import { referencePage, referencePolicy } from './reference';
import { isListRoute, withNdjson } from './ndjson';
import type { Route } from './route';
import { httpRoutes } from './routes';
import { addSlackActions } from './slack-actions';
import { refuseUnknown } from './unknown';
import { webIncoming } from './web-incoming';

/**
 * The HTTP API; `edge` serves it under `/`, `web` under `/api`. Each route names the scope that it
 * needs.
 */
export function createApp(
  deps: HttpDeps,
  basePath = '',
  intake: Intake = createIntake(deps),
): OpenAPIHono {
  const base = new OpenAPIHono();
  const app = basePath === '' ? base : base.basePath(basePath);
  const { ctx } = deps;
  base.use('*', asData);

  const withApiKey = createWithApiKey(deps, basePath);
  for (const [path, route] of intakePaths) {
    // Under /api, a path that repeats the base is served as if it had the base once.
    const below =
      basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
    app.post(below, async (c) => {
      const { status, headers, body } = await intake(route, webIncoming(c.req.raw));
      return new Response(typeof body === 'string' ? body : new Uint8Array(body), {
        status,
        headers,
      });
    });
  }
  addSlackActions(app, deps);
  for (const route of httpRoutes) addRoute(app, withApiKey, deps, route);
  for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json']) {
    app.use(path, async (c, next) => {
      await refuseUnknown(c, basePath);
      await next();
    });
  }
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', (c) => readiness(ctx, c));
  addInstallationMetrics(app, ctx);
  // Loaded when an agent calls: most installations serve none.
  app.all('/mcp', async (c) => (await import('./mcp')).answerMcp(c, { app, deps, basePath }));
  addDescription(app, basePath);
  app.notFound((c) => answerError(c, notFound('route'), newId('req', ctx.clock.now()), ctx.log));
  app.onError((error, c) => answerError(c, error, newId('req', ctx.clock.now()), ctx.log));
  return app;
}

/** Sets `dataHeaders`; a page has its own policy. */
const asData: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(dataHeaders))
    if (!c.res.headers.has(name)) c.header(name, value);
};

function addDescription(app: OpenAPIHono, basePath: string): void {
  app.get('/docs', (c) =>
    c.html(referencePage(), 200, { 'content-security-policy': referencePolicy }),
  );
  app.get('/openapi.json', (c) =>
    c.body(describedText(basePath), 200, { 'content-type': 'application/json' }),
  );
}

/**
 * Ready means able to store received data. Liveness never depends on PostgreSQL, readiness does
 * (R-103).
 */
async function readiness(ctx: Ctx, c: Context): Promise<Response> {
  try {
    await pingStorage(ctx, 1000);
    // Reported but not decisive: intake works without the queue.
    const queue = (await isSlowLaneUnavailable(ctx)) ? 'away' : 'ok';
    const { state: box, level: boxLevel } = await getBoxReport(ctx);
    return c.json({
      status: 'ready',
      postgres: 'ok',
      queue,
      box,
      ...(boxLevel !== undefined && { box_level: boxLevel }),
    });
  } catch (error) {
    ctx.log.warn({ err: error }, 'not ready');
    return c.json({ status: 'not ready', postgres: 'away' }, 503, { 'retry-after': '1' });
  }
}

/** Skips routes without a handler or a key, which are served above. */
function addRoute(app: OpenAPIHono, withApiKey: WithApiKey, deps: HttpDeps, route: Route): void {
  const { method, scope, scopeOf, handle } = route;
  if (handle === undefined || scope === null) return;
  const path = route.pattern ?? route.path.replace(/\{(\w+)\}/g, ':$1');
  const behindKey = (needed: KeyScope) =>
    withApiKey(needed, async (c, project) => {
      if (isMasked(route)) await maskRequest(c, project, deps, route.path);
      return handle(c, project, deps);
    });
  const answer = async (c: Context): Promise<Response> =>
    behindKey(scopeOf === undefined ? scope : await scopeOf(c, deps))(c);
  app[method](
    path,
    isListRoute(route) ? withNdjson(route, answer, (request) => app.fetch(request)) : answer,
  );
}
