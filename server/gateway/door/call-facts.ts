import type { IncomingMessage } from 'node:http';
import type { GatewayDialect } from '../../domain';
import { newId, sha256 } from '../../platform';
import { dialectOf } from '../dialects/dialects';
import type { ExchangeRequest, GatewayRoute } from '../exchange';

/** What is known of a call to a model before a byte of its body is read. Its record keeps it: it holds nothing of the connection. */
export interface CallFacts {
  readonly route: GatewayRoute;
  readonly dialect: GatewayDialect;
  readonly keyId: string;
  readonly path: string;
  /** As its headers name them; null: they do not. */
  readonly namedSession: string | null;
  readonly clientRequestId: string | null;
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

/** What a call's headers say of whose it is. */
export function namesIn(sent: IncomingMessage['headers']): Pick<CallFacts, 'namedSession' | 'clientRequestId'> {
  return {
    namedSession: one(sent['x-assay-session']),
    clientRequestId: one(sent['x-assay-request-id']) ?? one(sent['idempotency-key']) ?? one(sent['x-request-id']),
  };
}

/** What is known of a call without its body, in a form that a thread can be sent. */
export interface CallOpening {
  readonly id: string;
  readonly dialect: GatewayDialect;
  readonly keyId: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly namedSession: string | null;
  readonly clientRequestId: string | null;
  readonly startedAt: number;
}

/** The call as the other parts know it, but for its route: the hints of its bytes read, without parsing them. */
export function readOpening(opening: CallOpening, body: Buffer): Omit<ExchangeRequest, 'route'> {
  const { id, dialect, keyId, path, headers, clientRequestId, startedAt } = opening;
  const hints = dialectOf(dialect).hintsOf(body);
  const named = opening.namedSession ?? one(hints.session ?? undefined);
  const sessionId = named === null ? sessionOfBody(keyId, body) : named.length > SESSION_CHARS_MAX ? sha256(named).slice(0, 32) : named;
  return {
    id,
    dialect,
    sessionId,
    noteKey: named === null ? null : `${keyId} ${sessionId}`,
    clientRequestId,
    path,
    headers,
    body,
    stream: hints.stream,
    model: hints.model,
    toolFollowup: hints.toolFollowup,
    startedAt,
  };
}

/** Who names no session has one for each beginning of a conversation (api.md, Gateway). */
function sessionOfBody(keyId: string, body: Buffer): string {
  return sha256(Buffer.concat([Buffer.from(keyId), body.subarray(0, SESSION_BODY_BYTES)])).slice(0, 32);
}

/** A client's request: its bytes as they came, read when that is first asked for. It outlives its call, and holds nothing of it. */
export class KeptRequest {
  readonly facts: CallFacts;
  /** As they go upstream. */
  headers: readonly string[] = [];
  bytes = 0;
  #chunks: Buffer[] = [];
  #opening: CallOpening | null = null;
  #read: ExchangeRequest | null = null;

  constructor(facts: CallFacts) {
    this.facts = facts;
  }

  get chunks(): readonly Buffer[] {
    return this.#chunks;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.bytes += chunk.length;
  }

  opening(): CallOpening {
    const { dialect, keyId, path, namedSession, clientRequestId, startedAt, startedOn } = this.facts;
    const { headers } = this;
    this.#opening ??= { id: newId('call', startedOn), dialect, keyId, path, headers, namedSession, clientRequestId, startedAt };
    return this.#opening;
  }

  read(): ExchangeRequest {
    if (this.#read === null) {
      const first = this.#chunks[0];
      const body = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.bytes);
      this.#chunks = [body];
      this.#read = { route: this.facts.route, ...readOpening(this.opening(), body) };
    }
    return this.#read;
  }
}

/** A kept request as its record is given it: read, and as it came. A function of its own, so that it holds nothing else of the call. */
export const forRecord = (
  kept: KeptRequest,
): {
  readonly request: () => ExchangeRequest;
  readonly unread: () => { readonly opening: CallOpening; readonly body: readonly Buffer[] };
} => ({
  request: () => kept.read(),
  unread: () => ({ opening: kept.opening(), body: kept.chunks }),
});
