import { OpenAPIHono } from '@hono/zod-openapi';
import { httpRoutes } from './routes';
import type { Route } from './route';
import { ErrorBody } from './schemas';

/**
 * Registers the description of the routes; handlers read their bodies themselves, for raw digits
 * and exact limits.
 */
function describeRoutes(app: OpenAPIHono): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'A project API key, asy_…',
  });
  for (const route of httpRoutes) {
    app.openAPIRegistry.registerPath({
      method: route.method,
      path: route.path,
      operationId: operationId(route),
      summary: route.summary,
      ...(route.scope === null
        ? {}
        : { security: [{ key: [] }], description: `Key scope: \`${route.scope}\`` }),
      request: {
        ...(route.body === undefined
          ? {}
          : { body: { required: true, content: { 'application/json': { schema: route.body } } } }),
        ...(route.query === undefined ? {} : { query: route.query }),
        ...(route.params === undefined ? {} : { params: route.params }),
      },
      responses: {
        ...Object.fromEntries(
          Object.entries(route.answers).map(([status, schema]) => [
            status,
            {
              description: route.summary,
              ...(schema === null ? {} : { content: { 'application/json': { schema } } }),
            },
          ]),
        ),
        ...(route.scope === null
          ? {}
          : {
              default: {
                description: 'An error',
                content: { 'application/json': { schema: ErrorBody } },
              },
            }),
      },
    });
  }
}

const apiInfo = {
  openapi: '3.1.0',
  info: { title: 'Assay', version: '1', description: 'Verifies what language models produce.' },
};

/** `GET /v1/rules/{name}` → `getV1RulesByName`. */
function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path
    .replace(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method + words.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1)).join('');
}

/**
 * The complete OpenAPI description, without a server: the docs generate their reference from it.
 * @param basePath precedes every path
 */
export function describeApi(basePath = ''): ReturnType<OpenAPIHono['getOpenAPI31Document']> {
  const base = new OpenAPIHono();
  const app = basePath === '' ? base : base.basePath(basePath);
  describeRoutes(app);
  return app.getOpenAPI31Document(apiInfo);
}

const texts = new Map<string, string>();

/**
 * The description as JSON. Generated once: it takes a tenth of a second, for requests without a key
 * (R-106).
 */
export function describedText(basePath: string): string {
  const text = texts.get(basePath) ?? JSON.stringify(describeApi(basePath));
  texts.set(basePath, text);
  return text;
}
