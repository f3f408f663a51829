import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { ExchangeRequest } from '../exchange';
import { type AnswerHead, requestHeaders } from './headers';
import { mayPass } from './problem';
import { readRetryAfterMs } from './retry-after';
import type { Credential, Upstream } from './upstreams';
import { isTransientStatus, pauseOf } from '../verify/retry-transient';
import { mayRefuseShape } from '../verify/shape-refusals';
import { type CallFacts, LazyRequest } from './call-facts';
import { CallTimers } from './call-timers';
import { ProxyErrorBody } from './error-body';
import type { BufferBudget } from './buffer-budget';
import { Relay, type RelayInput } from './relay';
import { MODEL_BODY_BYTES_MAX } from './take-body';
import { notVerified } from './verification-headers';

export interface ModelCallInput extends RelayInput {
  readonly facts: CallFacts;
  readonly incoming: IncomingMessage;
  readonly upstream: Upstream;
  readonly virtual: boolean;
  /** The stored key; null if none, or the client sent its own. */
  readonly credential: Credential | null;
  readonly budget: BufferBudget;
}

/**
 * The stage of a call: waiting for the answer, reading an error, at the answer's first byte,
 * parsing a large request in a thread, passing the answer on, buffering it, verifying it, finished.
 */
export type Stage =
  | 'asking'
  | 'error'
  | 'first'
  | 'reading'
  | 'live'
  | 'buffering'
  | 'verifying'
  | 'over';

/**
 * Sends a model call, and retries it if that may help (INT-9, INT-17). Passes errors on; the
 * subclass handles answers.
 */
export abstract class SentCall extends Relay {
  protected readonly input: ModelCallInput;
  /** The client's own request; `sent` is the one with the prepared body. */
  protected readonly lazyRequest: LazyRequest;
  /** Answers are counted, and buffered when a verification is due. */
  protected readonly watched: boolean;
  protected readonly checksFigures: boolean;
  /** Embeddings are counted and recorded, but not verified. */
  protected readonly isEmbedding: boolean;
  protected readonly timers = new CallTimers();
  protected stage: Stage = 'asking';
  protected sent: ExchangeRequest | null = null;
  protected retries = 0;
  protected broken = false;
  #error: ProxyErrorBody | null = null;
  /** The last body had no schema, because the upstream had rejected it. */
  #shapeless = false;

  constructor(input: ModelCallInput) {
    super(input);
    const { settings, project } = input.route;
    this.input = input;
    this.lazyRequest = new LazyRequest(input.facts, MODEL_BODY_BYTES_MAX);
    const { quality_verifier: verifier, verify } = settings;
    this.isEmbedding = input.facts.dialect === 'embeddings';
    this.watched =
      !this.isEmbedding &&
      (verifier.model !== null || (verify !== null && verify.mode !== 'observe'));
    this.checksFigures =
      !this.isEmbedding && settings.integrity.mode === 'hold' && !project.integrityOff;
  }

  protected abstract onAnswer(head: AnswerHead): void;
  /** False if the client is slow. */
  protected abstract onAnswerData(chunk: Buffer): boolean;
  protected abstract onAnswerEnd(): void;
  /** False if the client already got an error. */
  protected abstract onAnswerBroken(): boolean;

  passing(chunk: Buffer): void {
    this.lazyRequest.add(chunk);
  }

  /** Sends the request, collected or streamed. */
  send(body: Buffer | Readable | null): void {
    const { virtual, credential, upstream, incoming } = this.input;
    if (Buffer.isBuffer(body)) this.lazyRequest.keep(body);
    this.lazyRequest.headers = requestHeaders(incoming.rawHeaders, {
      credential,
      passCredentials: !virtual,
      askIdentity: this.watched || this.checksFigures || (virtual && upstream.secret !== null),
      keepLength: body !== null && !Buffer.isBuffer(body),
    });
    const mayPrepare = !this.isEmbedding && this.deps.mayPrepare(this.route);
    if (!Buffer.isBuffer(body) || !mayPrepare) this.#dispatch(body);
    else this.whenDone(this.#prepare(body), () => this.#dispatch(this.sent?.body ?? body));
  }

  async #prepare(body: Buffer): Promise<void> {
    await this.lazyRequest.readInThread(this.deps.bodies);
    const request = this.lazyRequest.read();
    const { id, route, dialect, noteKey, model } = request;
    const { body: prepared, withoutShape } = await this.deps.prepare({
      id,
      route,
      dialect,
      noteKey,
      model,
      body,
    });
    this.sent = { ...request, body: prepared, ...(withoutShape !== null && { withoutShape }) };
  }

  /**
   * Continues when the promise resolves, unless the client has disconnected; a rejection ends the
   * call.
   */
  protected whenDone<T>(promise: Promise<T>, act: (value: T) => void): void {
    promise.then(
      (value) => {
        if (!this.closed) this.guarded(() => act(value));
      },
      (error: unknown) => this.onError(error instanceof Error ? error : new Error(String(error))),
    );
  }

  #dispatch(body: Buffer | Readable | null): void {
    const { upstream, facts } = this.input;
    try {
      this.deps.forward.dispatch(
        upstream,
        { method: 'POST', path: facts.path, headers: this.lazyRequest.headers, body },
        this,
      );
    } catch (error) {
      this.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  protected override onHead(head: AnswerHead): void {
    if (head.status >= 200 && head.status < 300 && head.status !== 204) {
      if (this.#shapeless && this.sent !== null) this.deps.shapes.note(this.sent);
      this.onAnswer(head);
    } else if (mayRefuseShape(head.status) && this.sent?.withoutShape !== undefined) {
      this.stage = 'error';
      this.#error = new ProxyErrorBody(head);
    } else if (!this.#tryAgain(head)) {
      this.stage = 'over';
      this.passHead(head, notVerified('error'));
    }
  }

  override onData(chunk: Buffer): boolean {
    if (this.stage !== 'error' || this.#error === null) return this.onAnswerData(chunk);
    return this.#error.push(chunk) || this.#passError(this.#error);
  }

  protected override onUpstreamEnd(): void {
    const error = this.#error;
    if (this.stage !== 'error' || error === null) {
      this.onAnswerEnd();
      return;
    }
    if ((error.isAboutShape() && this.sendWithoutShape()) || this.#tryAgain(error.head)) return;
    this.#passError(error);
    this.endAsIs();
  }

  protected override onBroken(error: Error): void {
    this.timers.clear();
    if (this.stage === 'asking' && mayPass(error) && this.#tryAgain(null)) return;
    this.broken = true;
    if (this.stage === 'error' && this.#error !== null) this.#passError(this.#error);
    else if (!this.onAnswerBroken()) return;
    super.onBroken(error);
  }

  /** Passes the error on to the client. */
  #passError({ head, chunks }: ProxyErrorBody): boolean {
    this.stage = 'over';
    this.#error = null;
    this.passHead(head, notVerified('error'));
    let fast = true;
    for (const chunk of chunks) fast = this.answer.write(chunk, this.resume);
    return fast;
  }

  /** Retries without a response schema. False if there was none, or no time is left. */
  protected sendWithoutShape(): boolean {
    if (
      this.sent === null ||
      this.closed ||
      this.elapsedMs() > this.route.settings.total_seconds * 1000
    )
      return false;
    const { withoutShape, ...sent } = this.sent;
    if (withoutShape === undefined) return false;
    this.#beginAgain();
    this.whenDone(withoutShape(), (body) => {
      this.sent = { ...sent, body };
      this.#shapeless = true;
      this.#againIn(0, body);
    });
    return true;
  }

  /** Retries the request if possible, dropping the part received so far (INT-9). */
  #tryAgain(head: AnswerHead | null): boolean {
    const backoff = this.deps.retryDelaysMs[this.retries];
    const transient = head === null || isTransientStatus(head.status);
    const body = this.sent?.body ?? null;
    if (!this.checksFigures || !transient || backoff === undefined || body === null || this.closed)
      return false;
    const delay = pauseOf(
      backoff,
      head === null ? null : readRetryAfterMs(head.headers, this.deps.clock.now()),
    );
    if (delay === null || this.elapsedMs() + delay > this.route.settings.total_seconds * 1000)
      return false;
    this.retries++;
    this.#beginAgain();
    this.#againIn(delay, body);
    return true;
  }

  /** Ignores the rest of the last attempt. */
  #beginAgain(): void {
    this.stage = 'asking';
    this.#error = null;
    if (!this.upstreamOver) this.abandon();
  }

  #againIn(delayMs: number, body: Buffer): void {
    this.after(delayMs, () => {
      this.upstreamOver = false;
      this.#dispatch(body);
    });
  }

  protected elapsedMs(): number {
    return this.deps.clock.monotonicMs() - this.input.facts.startedAt;
  }

  protected after(ms: number, act: () => void): void {
    this.timers.after(ms, () => {
      if (!this.closed) this.guarded(act);
    });
  }
}
