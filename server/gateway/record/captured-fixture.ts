import type { GatewayDialect } from '../../domain';
import type { CallOpening } from '../proxy/call-facts';
import type { Captured } from '../proxy/captured';
import type { ExchangeRequest, GatewayRoute, BufferedAnswer, Settled } from '../exchange';
import {
  chatAnswer,
  requestBody,
  type RouteOptions,
  testRequest,
  testRoute,
} from '../verify/verify-fixture';

export interface CapturedOptions {
  readonly route?: RouteOptions;
  readonly request?: Partial<ExchangeRequest>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly dialect?: GatewayDialect;
  readonly answer?: BufferedAnswer;
  readonly more?: Partial<Captured>;
}

/** A call that passed without being held. */
export function testCaptured({
  route = {},
  request = {},
  body = {},
  dialect = 'chat',
  answer = chatAnswer('Fine.'),
  more = {},
}: CapturedOptions): Captured {
  const way: GatewayRoute = testRoute(route);
  const bytes = requestBody(dialect, answer.form === 'sse', body);
  const made = testRequest(way, dialect, bytes, request);
  return {
    route: way,
    request: () => made,
    unread: () => ({ opening: openingOf(made), body: made.body }),
    requestBytes: bytes.length,
    startedOn: new Date(),
    status: 200,
    verification: { verdict: 'not_verified', reason: 'disabled', verificationId: null },
    chunks: answer.chunks,
    contentEncoding: null,
    form: answer.form,
    truncated: false,
    partial: false,
    firstByteMs: 12,
    durationMs: 30,
    bufferedMs: null,
    units: 1000,
    counter: 3000,
    settled: null,
    ...more,
  };
}

function openingOf({
  id,
  dialect,
  path,
  headers,
  sessionId,
  clientRequestId,
  startedAt,
}: ExchangeRequest): CallOpening {
  return {
    id,
    dialect,
    keyId: 'key_1',
    path,
    headers,
    namedSession: sessionId,
    clientRequestId,
    startedAt,
  };
}

/** A settlement that delivers an answer as it is. */
export function testSettled(answer: BufferedAnswer, more: Partial<Settled> = {}): Settled {
  const verification = { verdict: 'passed', reason: null, verificationId: 'ver_told' } as const;
  return {
    answer,
    verification,
    episode: null,
    integrity: null,
    plainText: null,
    envelope: null,
    after: null,
    ...more,
  };
}
