import type { GatewayDialect } from '../../domain';
import { systemClock } from '../../platform';
import type { CallOpening } from '../proxy/call-facts';
import type { Captured } from '../proxy/captured';
import type { ExchangeRequest, GatewayRoute, BufferedAnswer, FinishedAnswer } from '../exchange';
import {
  chatAnswer,
  requestBody,
  type RouteOptions,
  testRequest,
  testRoute,
} from '../verify/verify-fixture';
import { Sessions } from '../verify/sessions';
import type { ObservedTurns } from './observe-turn';

export interface CapturedOptions {
  readonly route?: RouteOptions;
  readonly request?: Partial<ExchangeRequest>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly dialect?: GatewayDialect;
  readonly answer?: BufferedAnswer;
  readonly more?: Partial<Captured>;
}

/** A call that was not buffered. */
export function testCaptured({
  route = {},
  request = {},
  body = {},
  dialect = 'chat',
  answer = chatAnswer('Fine.'),
  more = {},
}: CapturedOptions): Captured {
  const gatewayRoute: GatewayRoute = testRoute(route);
  const bytes = requestBody(dialect, answer.form === 'sse', body);
  const exchangeRequest = testRequest(gatewayRoute, dialect, bytes, request);
  return {
    route: gatewayRoute,
    request: () => exchangeRequest,
    unread: () => ({ opening: openingOf(exchangeRequest), body: exchangeRequest.body }),
    requestBytes: bytes.length,
    startedOn: new Date(),
    status: 200,
    outcome: { verdict: 'not_verified', reason: 'disabled', verificationId: null },
    chunks: answer.chunks,
    contentEncoding: null,
    form: answer.form,
    truncated: false,
    partial: false,
    firstByteMs: 12,
    durationMs: 30,
    deliveryDelayMs: null,
    units: 1000,
    counter: 3000,
    finished: null,
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
  metadata,
  startedAt,
  route,
}: ExchangeRequest): CallOpening {
  return {
    id,
    dialect,
    keyId: 'key_1',
    path,
    headers,
    names: { namedSession: sessionId, clientRequestId, metadata },
    masks: route.project.masks,
    startedAt,
  };
}

/** Counters in memory, for a recorder. */
export function testTurns(): ObservedTurns {
  const sessions = new Sessions(systemClock, 'replica-1');
  return {
    advance: (call) => sessions.advance(call),
    reset: (projectId, sessionId) => sessions.reset({ projectId, sessionId }),
    endVerification: (projectId, sessionId) => sessions.endVerification({ projectId, sessionId }),
  };
}

/** A finished answer that is delivered unchanged. */
export function testFinished(
  answer: BufferedAnswer,
  more: Partial<FinishedAnswer> = {},
): FinishedAnswer {
  const outcome = { verdict: 'passed', reason: null, verificationId: 'ver_sent' } as const;
  return {
    answer,
    outcome,
    episode: null,
    integrity: null,
    plainText: null,
    envelope: null,
    recheck: null,
    ...more,
  };
}
