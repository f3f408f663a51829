import type { IncomingMessage } from 'node:http';
import type { GatewayDialect } from '../../domain';
import { newId, sha256 } from '../../platform';
import { type Bodies, noHints } from './bodies';
import type { RequestHints } from '../dialects/dialect';
import { Collector } from './collect';
import { dialectOf } from '../dialects/dialects';
import type { ExchangeRequest, GatewayRoute } from '../exchange';

/**
 * What is known of a call to a model before a byte of its body is read. Its record keeps it: it
 * holds nothing of the connection.
 */
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
export function namesIn(
  sent: IncomingMessage['headers'],
): Pick<CallFacts, 'namedSession' | 'clientRequestId'> {
  return {
    namedSession: one(sent['x-assay-session']),
    clientRequestId:
      one(sent['x-assay-request-id']) ?? one(sent['idempotency-key']) ?? one(sent['x-request-id']),
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

/**
 * The call as the other parts know it, but for its route: with the hints of its bytes, which are
 * read here unless given.
 */
export function readOpening(
  opening: CallOpening,
  body: Buffer,
  hints: RequestHints = dialectOf(opening.dialect).hintsOf(body),
): Omit<ExchangeRequest, 'route'> {
  const { id, dialect, keyId, path, headers, clientRequestId, startedAt } = opening;
  const named = opening.namedSession ?? one(hints.session ?? undefined);
  const sessionId =
    named === null
      ? sessionOfBody(keyId, body)
      : named.length > SESSION_CHARS_MAX
        ? sha256(named).slice(0, 32)
        : named;
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
  return sha256(Buffer.concat([Buffer.from(keyId), body.subarray(0, SESSION_BODY_BYTES)])).slice(
    0,
    32,
  );
}

/**
 * A client's request: its bytes as they came, read when that is first asked for. It outlives its
 * call, and holds nothing of it.
 */
export class StoredRequest {
  readonly facts: CallFacts;
  /** As they go upstream. */
  headers: readonly string[] = [];
  readonly #passing: Collector;
  #collected: Buffer | null = null;
  #opening: CallOpening | null = null;
  #hints: RequestHints | undefined;
  #read: ExchangeRequest | null = null;

  /** `bytesMax`: of its body. */
  constructor(facts: CallFacts, bytesMax: number) {
    this.facts = facts;
    this.#passing = new Collector(bytesMax);
  }

  get bytes(): number {
    return this.#collected?.length ?? this.#passing.bytes;
  }

  get body(): Buffer {
    return this.#collected ?? this.#passing.whole();
  }

  /** Keeps a body that was collected. */
  keep(body: Buffer): void {
    this.#collected = body;
  }

  /** Keeps a part of a body that is streamed. */
  add(chunk: Buffer): void {
    this.#passing.add(chunk);
  }

  opening(): CallOpening {
    const { dialect, keyId, path, namedSession, clientRequestId, startedAt, startedOn } =
      this.facts;
    const { headers } = this;
    this.#opening ??= {
      id: newId('call', startedOn),
      dialect,
      keyId,
      path,
      headers,
      namedSession,
      clientRequestId,
      startedAt,
    };
    return this.#opening;
  }

  /**
   * Has the hints of a large body read in a thread, once it is whole; null: `read` may be called at
   * once.
   */
  readInThread(bodies: Bodies): Promise<void> | null {
    if (this.#read !== null || this.#hints !== undefined || bodies.readsHere(this.bytes))
      return null;
    const { route, dialect } = this.facts;
    return bodies
      .work('hints', { projectId: route.project.id, dialect, body: this.body })
      .then((outcome) => {
        this.#hints = outcome.state === 'done' ? outcome.result : noHints;
      });
  }

  read(): ExchangeRequest {
    if (this.#read === null) {
      const { body } = this;
      this.#read = { route: this.facts.route, ...readOpening(this.opening(), body, this.#hints) };
    }
    return this.#read;
  }
}

/**
 * A kept request as its record is given it: read, and as it came. A function of its own, so that it
 * holds nothing else of the call.
 */
export const forRecord = (
  kept: StoredRequest,
): {
  readonly request: () => ExchangeRequest;
  readonly unread: () => { readonly opening: CallOpening; readonly body: Buffer };
} => ({
  request: () => kept.read(),
  unread: () => ({ opening: kept.opening(), body: kept.body }),
});
