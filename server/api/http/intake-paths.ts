import type { IntakeRoute } from './intake';

/** A path at which a client sends, other than the API's own. */
export interface IntakeAlias {
  readonly path: string;
  readonly route: (typeof routes)[number];
  /** The clients that append this path to their base URL, for the reference. */
  readonly clients: string;
}

/** The paths that OTLP exporters append to the configured address. */
const routes = ['/v1/traces', '/v1/logs', '/v1/metrics'] as const;

/**
 * Path prefixes that clients of other products put between the address and the path of a signal.
 */
const prefixes = [
  {
    prefix: '/api/public/otel',
    clients: 'Langfuse SDKs, JavaScript 4 and later, Python 3 and later',
  },
  { prefix: '/api/otel', clients: 'LangWatch SDKs' },
  { prefix: '/otel', clients: 'LangSmith SDKs with OpenTelemetry, Braintrust' },
  {
    prefix: '/api/v1/otel',
    clients: 'LangSmith SDKs with a base URL that ends in /api/v1',
  },
] as const;

/**
 * The paths that clients of other products append to the address they are given, so that they work
 * with only their address and key changed. A new prefix is one line above: the routes, their
 * description and the tests follow from it.
 */
export const intakeAliases: readonly IntakeAlias[] = prefixes.flatMap(({ prefix, clients }) =>
  routes.map((route) => ({ path: `${prefix}${route}`, route, clients })),
);

/**
 * Headers of clients that do not send `Authorization`: LangSmith, LangWatch and Phoenix, by their
 * names in lower case.
 */
export const keyHeaders = ['x-api-key', 'x-auth-token', 'api_key'] as const;

/**
 * The `Authorization` that a request is equivalent to. Clients of other products send the key as
 * the password of a pair, or in their own header; this applies to their routes only.
 */
export function intakeAuthorization(
  route: IntakeRoute,
  header: (name: string) => string | undefined,
): string | undefined {
  const sent = header('authorization');
  if (route === '/v1/turns') return sent;
  if (sent === undefined || sent.trim() === '') {
    const key = keyHeaders.map(header).find((value) => value !== undefined && value !== '');
    return key === undefined ? sent : `Bearer ${key}`;
  }
  const pair = /^Basic\s+([A-Za-z0-9+/=]{1,400})$/i.exec(sent)?.[1];
  if (pair === undefined) return sent;
  const text = Buffer.from(pair, 'base64').toString('utf8');
  return `Bearer ${text.slice(text.indexOf(':') + 1)}`;
}
