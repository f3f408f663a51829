import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { contractRoutes } from './contracts';
import { decisionRoutes } from './decisions';
import { deletionRoutes } from './deletions';
import { gatewayRoutes } from './gateway-routes';
import { importRoutes } from './import';
import { destinationRoutes } from './destinations';
import { jobRoutes } from './jobs';
import { judgeMetricRoutes } from './judge-metrics';
import { metricRoutes } from './metrics';
import { missionRoutes } from './missions';
import { outcomeRoutes } from './outcomes';
import { overrideRoutes } from './overrides';
import { promptRoutes } from './prompts';
import { providerRoutes } from './providers';
import { reportRoutes } from './reports';
import { ruleRoutes } from './rules';
import { thresholdRoutes } from './thresholds';
import { traceRoutes } from './traces';
import { trialRoutes } from './trials';
import { verifierRoutes } from './verifiers';
import { verifySubjectRoutes } from './verify-subject';
import {
  ErrorBody,
  SettingsBody,
  SettingsReply,
  TurnsBody,
  TurnsReply,
  Verification,
  VerificationsQuery,
  VerificationsReply,
  VerifyIntegrityBody,
} from './schemas';

export interface RouteText {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  readonly scope: string | null;
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  /** What stands in braces in `path`. */
  readonly params?: z.ZodObject;
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
}

const PathId = z.object({ id: z.string() });

/** Every route of the HTTP API, for the description and for the route matrix of the tests. */
export const httpRoutes: readonly RouteText[] = [
  {
    method: 'post',
    path: '/v1/traces',
    scope: 'ingest',
    summary: 'Take an OTLP export: spans become turns (protobuf or JSON, gzip or none)',
    answers: { 200: null },
  },
  {
    method: 'post',
    path: '/api/public/otel/v1/traces',
    scope: 'ingest',
    summary: 'The same, where the SDKs of Langfuse send; the key may be the password of Basic',
    answers: { 200: null },
  },
  {
    method: 'post',
    path: '/v1/turns',
    scope: 'ingest',
    summary: 'Take a batch of turns',
    body: TurnsBody,
    answers: { 202: TurnsReply },
  },
  {
    method: 'post',
    path: '/v1/verify/integrity',
    scope: 'verify',
    summary: 'Trace the figures of one answer to its sources',
    body: VerifyIntegrityBody,
    answers: { 200: Verification, 202: Verification },
  },
  {
    method: 'get',
    path: '/v1/verifications',
    scope: 'read',
    summary: 'List verdicts, newest first',
    query: VerificationsQuery,
    answers: { 200: VerificationsReply },
  },
  {
    method: 'get',
    path: '/v1/verifications/{id}',
    scope: 'read',
    summary: 'One verdict with its evidence',
    params: PathId,
    answers: { 200: Verification },
  },
  {
    method: 'get',
    path: '/v1/settings',
    scope: 'read',
    summary: 'The project settings',
    answers: { 200: SettingsReply },
  },
  {
    method: 'put',
    path: '/v1/settings',
    scope: 'write',
    summary: 'Change project settings',
    body: SettingsBody,
    answers: { 200: SettingsReply },
  },
  ...ruleRoutes,
  ...contractRoutes,
  ...decisionRoutes,
  ...deletionRoutes,
  ...destinationRoutes,
  ...jobRoutes,
  ...importRoutes,
  ...missionRoutes,
  ...outcomeRoutes,
  ...metricRoutes,
  ...judgeMetricRoutes,
  ...overrideRoutes,
  ...thresholdRoutes,
  ...promptRoutes,
  ...trialRoutes,
  ...providerRoutes,
  ...reportRoutes,
  ...gatewayRoutes,
  ...verifierRoutes,
  ...verifySubjectRoutes,
  ...traceRoutes,
  {
    method: 'get',
    path: '/healthz',
    scope: null,
    summary: 'The process lives',
    answers: { 200: null },
  },
  {
    method: 'get',
    path: '/readyz',
    scope: null,
    summary: 'The process can store what it is sent',
    answers: { 200: null, 503: null },
  },
  {
    method: 'get',
    path: '/openapi.json',
    scope: null,
    summary: 'This description',
    answers: { 200: null },
  },
  {
    method: 'get',
    path: '/docs',
    scope: null,
    summary: 'This description, to read',
    answers: { 200: null },
  },
];

/**
 * Registers the routes' description; the handlers read their bodies themselves, for raw digits and
 * exact limits.
 */
export function describeRoutes(app: OpenAPIHono): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'A project API key, asy_…',
  });
  for (const route of httpRoutes) {
    app.openAPIRegistry.registerPath({
      method: route.method,
      path: route.path,
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

export const apiInfo = {
  openapi: '3.1.0',
  info: { title: 'Assay', version: '1', description: 'Verifies what language models produce.' },
};
