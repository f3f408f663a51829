import type { GatewayDialect } from '../../domain';
import { createMasker, maskMember, type MaskRules } from '../../masking';
import { newId, sha256 } from '../../platform';
import { type Bodies, noHints } from './bodies';
import type { RequestHints } from '../dialects/dialect';
import { Collector } from './collect';
import { dialectOf } from '../dialects/dialects';
import { namesInPath } from '../dialects/paths';
import type { ExchangeRequest, GatewayRoute } from '../exchange';
import { type CallNames, filledText } from './names-in-headers';

/** A model call before its body is read. Kept for the record, so it references no connection. */
export interface CallFacts {
  readonly route: GatewayRoute;
  readonly dialect: GatewayDialect;
  readonly keyId: string;
  readonly path: string;
  readonly names: CallNames;
  /** Monotonic milliseconds, and wall-clock time. */
  readonly startedAt: number;
  readonly startedOn: Date;
}

/** Longer session names are replaced by their hash. */
const SESSION_CHARS_MAX = 200;
const SESSION_BODY_BYTES = 4096;

/** A call without its body, in a form that can be sent to a thread. */
export interface CallOpening {
  readonly id: string;
  readonly dialect: GatewayDialect;
  readonly keyId: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly names: CallNames;
  /** The values to replace in the names of sessions; null if masking is off. */
  readonly masks: MaskRules | null;
  readonly startedAt: number;
}

/** The parsed request without its route. Parses the hints of the body unless they are given. */
export function readOpening(
  opening: CallOpening,
  body: Buffer,
  hints: RequestHints = dialectOf(opening.dialect).hintsOf(body),
): Omit<ExchangeRequest, 'route'> {
  const { id, dialect, keyId, path, headers, names, masks, startedAt } = opening;
  const { clientRequestId, metadata } = names;
  const sent = names.namedSession ?? filledText(hints.session ?? undefined);
  // Masked here, since counters and notes of sessions are stored under the name, too.
  const named =
    sent === null || masks === null ? sent : maskMember(createMasker(masks), 'session_id', sent);
  const inPath = namesInPath(path);
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
    metadata,
    path,
    headers,
    body,
    stream: hints.stream || inPath.stream,
    model: hints.model ?? inPath.model,
    toolFollowup: hints.toolFollowup,
    startedAt,
  };
}

/**
 * Without a session name, the beginning of the conversation identifies the session (api.md,
 * Gateway).
 */
function sessionOfBody(keyId: string, body: Buffer): string {
  return sha256(Buffer.concat([Buffer.from(keyId), body.subarray(0, SESSION_BODY_BYTES)])).slice(
    0,
    32,
  );
}

/**
 * A client's request, parsed on first use. It outlives its call, so it holds no reference to the
 * call.
 */
export class LazyRequest {
  readonly facts: CallFacts;
  /** As sent upstream. */
  headers: readonly string[] = [];
  readonly #passing: Collector;
  #collected: Buffer | null = null;
  #opening: CallOpening | null = null;
  #hints: RequestHints | undefined;
  #read: ExchangeRequest | null = null;

  /** `bytesMax`: limit of the body. */
  constructor(facts: CallFacts, bytesMax: number) {
    this.facts = facts;
    this.#passing = new Collector(bytesMax);
  }

  get bytes(): number {
    return this.#collected?.length ?? this.#passing.bytes;
  }

  get body(): Buffer {
    return this.#collected ?? this.#passing.toBuffer();
  }

  /** Keeps a collected body. */
  keep(body: Buffer): void {
    this.#collected = body;
  }

  /** Keeps a chunk of a streamed body. */
  add(chunk: Buffer): void {
    this.#passing.add(chunk);
  }

  opening(): CallOpening {
    const { dialect, keyId, path, names, startedAt, startedOn, route } = this.facts;
    const { headers } = this;
    this.#opening ??= {
      id: newId('call', startedOn),
      dialect,
      keyId,
      path,
      headers,
      names,
      masks: route.project.masks,
      startedAt,
    };
    return this.#opening;
  }

  /**
   * Parses the hints of a large, complete body in a thread; null if `read` may be called at once.
   */
  readInThread(bodies: Bodies): Promise<void> | null {
    if (this.#read !== null || this.#hints !== undefined || bodies.isInline(this.bytes))
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
 * A request for the recorder, parsed on demand. A separate function, so that its closures reference
 * nothing else of the call.
 */
export const forRecord = (
  lazyRequest: LazyRequest,
): {
  readonly request: () => ExchangeRequest;
  readonly unread: () => { readonly opening: CallOpening; readonly body: Buffer };
} => ({
  request: () => lazyRequest.read(),
  unread: () => ({ opening: lazyRequest.opening(), body: lazyRequest.body }),
});
