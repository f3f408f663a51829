import type { ProjectCtx } from '../../access';
import { asAssayError, type AssayError, type Ctx, errorText, newId } from '../../platform';
import type { AdmittedBody } from '../../pool';
import { answerRequestOnce, exportAnswer, statusAnswer, takeExport, takeTurns } from '../../ingest';
import { errorAnswer } from './answer';
import { type Body, collectBody, type Incoming, openBody, openSmallBody } from './body';
import type { HttpDeps } from './deps';
import { refuseParameters } from './request-input';
import { answerInPool, asRefusal } from './offload';
import { readIdempotencyKey } from './idempotency';

export interface IntakeAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
}

export type IntakeRoute = '/v1/turns' | '/v1/traces';

/**
 * The high-volume intake routes, by path below the edge; there, requests bypass the router. The
 * last one is where Langfuse's SDKs send their spans, so that they work with only their address
 * changed.
 */
export const intakePaths: ReadonlyMap<string, IntakeRoute> = new Map([
  ['/v1/turns', '/v1/turns'],
  ['/v1/traces', '/v1/traces'],
  ['/api/public/otel/v1/traces', '/v1/traces'],
]);

const none: ReadonlySet<string> = new Set();

export type Intake = (route: IntakeRoute, incoming: Incoming) => Promise<IntakeAnswer>;

/** Handles the intake routes on any server. Never throws. */
export function createIntake(deps: HttpDeps): Intake {
  const { ctx } = deps;
  return async (route, incoming) => {
    const requestId = newId('req', ctx.clock.now());
    try {
      const project = await deps.keys.authorize(authorization(route, incoming), 'ingest');
      // OTLP exporters may add their own parameters.
      if (route === '/v1/turns' && incoming.query !== '')
        refuseParameters(none, new URLSearchParams(incoming.query).keys());
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
      return route === '/v1/traces'
        ? otlpError(ctx, error, incoming, requestId)
        : errorAnswer(ctx.log, error, requestId, route);
    }
  };
}

/**
 * SDKs with a key pair send it as Basic authentication: the password is the key. For spans only.
 */
function authorization(route: IntakeRoute, incoming: Incoming): string | undefined {
  const sent = incoming.header('authorization');
  const pair =
    route === '/v1/traces' ? /^Basic\s+([A-Za-z0-9+/=]{1,400})$/i.exec(sent ?? '')?.[1] : undefined;
  if (pair === undefined) return sent;
  const text = Buffer.from(pair, 'base64').toString('utf8');
  return `Bearer ${text.slice(text.indexOf(':') + 1)}`;
}

/**
 * From this many decompressed bytes on, a thread reads the body: parsing them takes a few
 * milliseconds.
 */
const THREAD_BYTES = 256 * 1024;
/** Reading a batch is linear in its bytes: 20 MiB are accepted and take a few seconds at most. */
const INTAKE_FACTOR = 10;
const protobufType = 'application/x-protobuf';
const typesOf: Record<IntakeRoute, readonly string[]> = {
  '/v1/turns': ['application/json'],
  '/v1/traces': [protobufType, 'application/json'],
};
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
  const collected = await collectBody(incoming, typesOf[route], hold);
  const body =
    pool === null ? await openBody(collected, hold) : openSmallBody(collected, THREAD_BYTES);
  if (body !== null) {
    if (route === '/v1/traces') return postTraces(deps, project, body);
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
    body: await takeTurns(project, deps.writer, {
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

/**
 * OTLP/HTTP: the answer has the request's content type, an error is an encoded `Status` (api.md,
 * Intake; reliability.md 1.1).
 */
async function postTraces(
  deps: HttpDeps,
  project: ProjectCtx,
  { bytes, packed, validUtf8, type }: Body,
): Promise<IntakeAnswer> {
  const format = type === protobufType ? 'proto' : 'json';
  const taken = await takeExport(project, deps.segments, {
    body: bytes,
    packed,
    format,
    validUtf8,
  });
  return {
    status: 200,
    headers: { 'content-type': type },
    body: asText(format, exportAnswer(format, taken)),
  };
}

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

function otlpError(ctx: Ctx, error: unknown, incoming: Incoming, requestId: string): IntakeAnswer {
  const known: AssayError = asAssayError(error);
  const plain = errorAnswer(ctx.log, error, requestId, '/v1/traces');
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
