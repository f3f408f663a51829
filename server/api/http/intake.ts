import type { ProjectCtx } from '../../access';
import { asAssayError, type AssayError, type Ctx, errorText, newId } from '../../platform';
import type { AdmittedBody } from '../../pool';
import {
  answerRequestOnce,
  exportAnswer,
  type OtlpSignal,
  statusAnswer,
  ingestBatch,
  ingestExport,
  ingestLogs,
  ingestTurns,
} from '../../ingest';
import { errorAnswer } from './answer';
import { type Body, collectBody, type Incoming, openBody, openSmallBody } from './body';
import type { HttpDeps } from './deps';
import { createMasker } from '../../masking';
import { maskBody } from './mask-body';
import { refuseParameters } from './request-input';
import { answerInPool, asRefusal } from './offload';
import { readIdempotencyKey } from './idempotency';
import { intakeAliases, intakeAuthorization } from './intake-paths';

export interface IntakeAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

type OtlpRoute = `/v1/${OtlpSignal}`;
export type IntakeRoute = '/v1/turns' | '/api/public/ingestion' | OtlpRoute;

const isOtlp = (route: IntakeRoute): route is OtlpRoute =>
  route !== '/v1/turns' && route !== '/api/public/ingestion';

/** The high-volume intake routes, by path below the edge; there, requests bypass the router. */
export const intakePaths: ReadonlyMap<string, IntakeRoute> = new Map<string, IntakeRoute>([
  ['/v1/turns', '/v1/turns'],
  ['/v1/traces', '/v1/traces'],
  ['/v1/logs', '/v1/logs'],
  ['/v1/metrics', '/v1/metrics'],
  ['/api/public/ingestion', '/api/public/ingestion'],
  ...intakeAliases.map(({ path, route }) => [path, route] as const),
]);

const noParameters: ReadonlySet<string> = new Set();

export type Intake = (route: IntakeRoute, incoming: Incoming) => Promise<IntakeAnswer>;

/** Handles the intake routes on any server. Never throws. */
export function createIntake(deps: HttpDeps): Intake {
  const { ctx } = deps;
  return async (route, incoming) => {
    const requestId = newId('req', ctx.clock.now());
    try {
      const sent = intakeAuthorization(route, (name) => incoming.header(name));
      const project = await deps.keys.authorize(sent, 'ingest');
      // OTLP exporters may add their own parameters.
      if (!isOtlp(route) && incoming.query !== '')
        refuseParameters(noParameters, new URLSearchParams(incoming.query).keys());
      const { hold, leave } = await deps.admission.enter(
        project.projectId,
        Number(incoming.header('content-length') ?? 'NaN'),
      );
      try {
        const answer = await answerIntake(deps, project, route, incoming, hold);
        answer.headers['x-request-id'] = requestId;
        return answer;
      } finally {
        leave();
      }
    } catch (thrown) {
      const error = asRefusal(thrown);
      return isOtlp(route)
        ? otlpError(ctx, error, incoming, { requestId, route })
        : errorAnswer(ctx.log, error, requestId, route);
    }
  };
}

/**
 * From this many decompressed bytes on, a thread reads the body: parsing them takes a few
 * milliseconds.
 */
const THREAD_BYTES = 256 * 1024;
/** Masking a text costs several times as much as parsing it. */
const MASKED_BYTES = 32 * 1024;
/** Reading a batch is linear in its bytes: 20 MiB are accepted and take a few seconds at most. */
const INTAKE_FACTOR = 10;
const protobufType = 'application/x-protobuf';
const otlpTypes: readonly string[] = [protobufType, 'application/json'];
const headersRead = ['content-type', 'content-encoding', 'idempotency-key'] as const;

/** Most bodies are small and are read here; for a large one this thread only receives the bytes. */
async function answerIntake(
  deps: HttpDeps,
  project: ProjectCtx,
  route: IntakeRoute,
  incoming: Incoming,
  hold: AdmittedBody['hold'],
): Promise<IntakeAnswer> {
  const { pool, owner } = deps;
  const types = isOtlp(route) ? otlpTypes : ['application/json'];
  const collected = await collectBody(incoming, types, hold);
  const rules = await deps.masks.read(project.projectId);
  const maxBytes = rules === null ? THREAD_BYTES : MASKED_BYTES;
  const opened =
    pool === null ? await openBody(collected, hold) : openSmallBody(collected, maxBytes);
  const masker = rules === null ? null : createMasker(rules);
  const body = opened === null ? null : maskBody(opened, masker, route);
  if (masker !== null) deps.masks.note(project.projectId, masker.counts);
  if (body !== null) {
    if (isOtlp(route)) return postOtlp(deps, project, route, body);
    if (route === '/api/public/ingestion') return postBatch(deps, project, body);
    return postTurns(deps, project, body, readIdempotencyKey(incoming));
  }
  if (pool === null) throw new Error('a body without a pool is read here');
  const headers = headersRead.flatMap((name): (readonly [string, string])[] => {
    const value = incoming.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  const signal = new AbortController().signal;
  const answer = await answerInPool({ pool, owner }, project, {
    method: 'POST',
    path: route,
    headers,
    body: collected.sent,
    budgetFactor: INTAKE_FACTOR,
    signal,
  });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: Buffer.from(answer.body.buffer),
  };
}

async function postTurns(
  deps: HttpDeps,
  project: ProjectCtx,
  { bytes, validUtf8 }: Body,
  key: string | null,
): Promise<IntakeAnswer> {
  const answer = await answerRequestOnce(project, key, '/v1/turns', bytes, async () => ({
    status: 202,
    body: await ingestTurns(project, deps.writer, {
      body: bytes,
      validUtf8,
      idempotencyKey: key,
      planTurns: deps.rules.planTurns,
    }),
  }));
  return {
    status: 202,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer.body),
  };
}

/** Langfuse's ingestion API: 207, with each event in one of two lists. */
async function postBatch(
  deps: HttpDeps,
  project: ProjectCtx,
  { bytes }: Body,
): Promise<IntakeAnswer> {
  const taken = await ingestBatch(project, deps.segments, bytes);
  return {
    status: 207,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(taken),
  };
}

/**
 * OTLP/HTTP: the answer has the request's content type, an error is an encoded `Status` (api.md,
 * Intake; reliability.md 1.1).
 */
async function postOtlp(
  deps: HttpDeps,
  project: ProjectCtx,
  route: OtlpRoute,
  body: Body,
): Promise<IntakeAnswer> {
  const format = body.type === protobufType ? 'proto' : 'json';
  const taken = await ingesters[route](deps, project, { ...body, body: body.bytes, format });
  return {
    status: 200,
    headers: { 'content-type': body.type },
    body: asText(format, exportAnswer(format, taken, signals[route])),
  };
}

const signals: Record<OtlpRoute, OtlpSignal> = {
  '/v1/traces': 'traces',
  '/v1/logs': 'logs',
  '/v1/metrics': 'metrics',
};

const ingesters: Record<
  OtlpRoute,
  (
    deps: HttpDeps,
    project: ProjectCtx,
    input: Parameters<typeof ingestExport>[2],
  ) => Promise<Parameters<typeof exportAnswer>[1]>
> = {
  '/v1/traces': ({ segments }, project, input) => ingestExport(project, segments, input),
  '/v1/logs': ({ segments }, project, input) => ingestLogs(project, segments, input),
  '/v1/metrics': () =>
    Promise.resolve({
      rejected: 0,
      message: 'Assay does not use metrics and stored none of them; set OTEL_METRICS_EXPORTER=none',
    }),
};

/** Node sends text together with the head, but bytes in a separate packet. */
function asText(format: 'json' | 'proto', bytes: Buffer): string | Buffer {
  return format === 'json' || bytes.length === 0 ? bytes.toString('utf8') : bytes;
}

/** gRPC codes in the `Status`, by HTTP status. */
const grpcCode: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [401, 16],
  [403, 7],
  [413, 8],
  [415, 3],
  [429, 8],
  [503, 14],
]);
const internalCode = 13;

function otlpError(
  ctx: Ctx,
  error: unknown,
  incoming: Incoming,
  { requestId, route }: { readonly requestId: string; readonly route: OtlpRoute },
): IntakeAnswer {
  const known: AssayError = asAssayError(error);
  const plain = errorAnswer(ctx.log, error, requestId, route);
  const isProtobuf =
    (incoming.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() === protobufType;
  const format = isProtobuf ? 'proto' : 'json';
  return {
    status: plain.status,
    headers: { ...plain.headers, 'content-type': isProtobuf ? protobufType : 'application/json' },
    body: statusAnswer(
      format,
      grpcCode.get(plain.status) ?? internalCode,
      errorText(known).message,
    ),
  };
}
