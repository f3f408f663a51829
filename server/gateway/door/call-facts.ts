import type { IncomingMessage } from 'node:http';
import type { GatewayDialect } from '../../domain';
import { newId, sha256 } from '../../platform';
import { dialectOf } from '../dialects/dialects';
import type { ExchangeRequest, GatewayRoute } from '../exchange';

/** What is known of a call to a model before a byte of its body is read. */
export interface CallFacts {
  readonly route: GatewayRoute;
  readonly dialect: GatewayDialect;
  readonly keyId: string;
  readonly path: string;
  readonly incoming: IncomingMessage;
  /** Milliseconds of the monotonic clock, and the moment itself. */
  readonly startedAt: number;
  readonly startedOn: Date;
}

/** A session's name is looked up and shown: what is longer is known by its hash. */
const SESSION_CHARS_MAX = 200;
const SESSION_BODY_BYTES = 4096;

const one = (value: string | readonly string[] | undefined): string | null => {
  const text = (typeof value === 'string' ? value : (value?.[0] ?? '')).trim();
  return text === '' ? null : text;
};

/** The call as the other parts know it: the hints of its bytes read, without parsing them. */
export function exchangeOf(facts: CallFacts, headers: readonly string[], body: Buffer): ExchangeRequest {
  const sent = facts.incoming.headers;
  const hints = dialectOf(facts.dialect).hintsOf(body);
  const named = one(sent['x-assay-session']) ?? one(hints.session ?? undefined);
  return {
    id: newId('call', facts.startedOn),
    route: facts.route,
    dialect: facts.dialect,
    sessionId: named === null ? sessionOfBody(facts.keyId, body) : named.length > SESSION_CHARS_MAX ? sha256(named).slice(0, 32) : named,
    clientRequestId: one(sent['x-assay-request-id']) ?? one(sent['idempotency-key']) ?? one(sent['x-request-id']),
    path: facts.path,
    headers,
    body,
    stream: hints.stream,
    model: hints.model,
    toolFollowup: hints.toolFollowup,
    startedAt: facts.startedAt,
  };
}

/** Who names no session has one for each beginning of a conversation (api.md, Gateway). */
function sessionOfBody(keyId: string, body: Buffer): string {
  return sha256(Buffer.concat([Buffer.from(keyId), body.subarray(0, SESSION_BODY_BYTES)])).slice(0, 32);
}
