import { contractRoutes } from './contracts';
import { conversationRoutes } from './conversations';
import { datasetRoutes } from './datasets';
import { decisionRoutes } from './decisions';
import { deletionRoutes } from './deletions';
import { gatewayRouteEndpoints } from './gateway-routes';
import { experimentResultRoutes } from './experiment-results';
import { experimentRowRoutes } from './experiment-rows';
import { importRoutes } from './import';
import { destinationRoutes } from './destinations';
import { jobRoutes } from './jobs';
import { judgeMetricRoutes } from './judge-metrics';
import { experimentRoutes } from './experiments';
import { findingRoutes } from './findings';
import { labelRoutes } from './labels';
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
import { verifyOwnRoutes } from './verify-own';
import { verifySubjectRoutes } from './verify-subject';
import { turnRoutes } from './turns';
import type { Route } from './route';
import { intakeAliases } from './intake-paths';
import { LangfuseReply, TurnsBody, TurnsReply } from './schemas';
import { settingRoutes } from './settings';
import { verificationRoutes } from './verifications';

/** Every route of the HTTP API, for the description and for the route matrix of the tests. */
export const httpRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/traces',
    scope: 'ingest',
    summary: 'Ingest an OTLP export: spans become turns (protobuf or JSON, gzip or none)',
    answers: { 200: null },
  },
  ...intakeAliases.map(
    ({ path, route, clients }): Route => ({
      method: 'post',
      path,
      scope: 'ingest',
      summary: `The same as POST ${route}, at the path of ${clients}`,
      answers: { 200: null },
    }),
  ),
  {
    method: 'post',
    path: '/v1/logs',
    scope: 'ingest',
    summary:
      'Ingest an OTLP export of logs: events of model calls join their spans (protobuf or JSON, gzip or none)',
    answers: { 200: null },
  },
  {
    method: 'post',
    path: '/v1/metrics',
    scope: 'ingest',
    summary: 'Accept an OTLP export of metrics, which Assay does not use and does not store',
    answers: { 200: null },
  },
  {
    method: 'post',
    path: '/api/public/ingestion',
    scope: 'ingest',
    summary:
      'Ingest a batch of Langfuse events: traces, observations and scores become spans (Langfuse SDKs, JavaScript 3 and Python 2)',
    answers: { 207: LangfuseReply },
  },
  {
    method: 'post',
    path: '/v1/turns',
    scope: 'ingest',
    summary: 'Ingest a batch of turns',
    body: TurnsBody,
    answers: { 202: TurnsReply },
  },
  ...verificationRoutes,
  ...settingRoutes,
  ...ruleRoutes,
  ...contractRoutes,
  ...datasetRoutes,
  ...decisionRoutes,
  ...deletionRoutes,
  ...destinationRoutes,
  ...jobRoutes,
  ...importRoutes,
  ...missionRoutes,
  ...conversationRoutes,
  ...outcomeRoutes,
  ...labelRoutes,
  ...findingRoutes,
  ...metricRoutes,
  ...judgeMetricRoutes,
  ...overrideRoutes,
  ...thresholdRoutes,
  ...promptRoutes,
  ...trialRoutes,
  ...experimentRoutes,
  ...experimentResultRoutes,
  ...experimentRowRoutes,
  ...providerRoutes,
  ...reportRoutes,
  ...gatewayRouteEndpoints,
  ...verifierRoutes,
  ...verifySubjectRoutes,
  ...verifyOwnRoutes,
  ...traceRoutes,
  ...turnRoutes,
  {
    method: 'get',
    path: '/healthz',
    scope: null,
    summary: 'Liveness: the process is running',
    answers: { 200: null },
  },
  {
    method: 'get',
    path: '/readyz',
    scope: null,
    summary: 'Readiness: the process can store data',
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
    summary: 'This description as a page',
    answers: { 200: null },
  },
];
