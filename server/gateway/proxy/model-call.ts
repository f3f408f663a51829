import type { BufferedAnswer, FinishedAnswer, VerificationHeaders } from '../exchange';
import { readEnvelopeRequest } from '../verify/envelope-request';
import { type AnswerHead, withLength } from './headers';
import { forRecord } from './call-facts';
import { Capture, EndsCapture } from './capture';
import { CountedTurn } from './counted-turn';
import { beginsIn, BufferedBody, withComment } from './buffered-body';
import type { BufferShare } from './buffer-budget';
import { isSubstituted } from './model-in';
import { errorEvent, malformedAnswer, refuse, type Refusal, tooLong } from './refuse';
import { answerFormOf } from './relay';
import { SentCall } from './sent-call';
import {
  isUnverifiable,
  notVerified,
  setVerificationHeaders,
  verificationComment,
  verificationUnavailable,
} from './verification-headers';

const bytesOf = (chunks: readonly Buffer[]): number =>
  chunks.reduce((sum, { length }) => sum + length, 0);

/** Safety margin after the total deadline, which `finishAnswer` itself enforces. */
const SETTLE_GRACE_MS = 2000;

/** A proxied model call: counted, buffered if it is to be verified, and captured for its record. */
export class ProxiedCall extends SentCall {
  readonly #capture = this.isEmbedding ? new EndsCapture() : new Capture();
  #head: AnswerHead | null = null;
  /** Chunks that arrived while the request was parsed in a thread. */
  #pendingChunks: Buffer[] = [];
  #buffered: BufferedBody | null = null;
  #share: BufferShare | null = null;
  /** Set if the answer will not be verified but stays buffered because it may be an envelope. */
  #deferredOutcome: VerificationHeaders | null = null;
  #finished: FinishedAnswer | null = null;
  readonly #turn = new CountedTurn(this.deps, this.route);
  #firstByteAt: number | null = null;
  #lastByteAt = 0;
  #deliveryDelayMs: number | null = null;
  #closing: AbortController | null = null;

  override giveUp(refusal: Refusal): void {
    this.broken = true;
    if (this.stage !== 'live') {
      this.stage = 'over';
      this.outcome = notVerified('error');
    }
    this.#stopBuffering();
    super.giveUp(refusal);
  }

  protected onAnswer(head: AnswerHead): void {
    this.#head = head;
    if (this.watched || this.checksFigures) this.stage = 'first';
    else {
      this.stage = 'live';
      this.passHead(head, this.#unlessUnavailable(notVerified('disabled')));
    }
  }

  protected onAnswerData(chunk: Buffer): boolean {
    this.#firstByteAt ??= this.deps.clock.monotonicMs();
    if (this.stage === 'first') this.#readThenDecide(chunk);
    if (this.stage === 'reading') {
      this.#pendingChunks.push(chunk);
      return false;
    }
    if (this.stage === 'buffering') return this.#buffer(chunk);
    // After an error or a refusal, chunks are dropped or passed on, but never captured.
    if (this.stage === 'live') this.#capture.add(chunk);
    else if (this.stage !== 'over' || this.upstreamOver) return true;
    return this.answer.write(chunk, this.resume);
  }

  protected onAnswerEnd(): void {
    if (this.stage === 'first') this.#readThenDecide(null);
    if (this.stage === 'reading') return;
    if (this.stage === 'buffering') this.#settle();
    else if (this.stage !== 'asking') this.endAsIs();
  }

  protected onAnswerBroken(): boolean {
    if (this.stage === 'reading') this.stage = 'over';
    const buffered = this.#buffered;
    if (this.stage !== 'buffering' || buffered === null) return true;
    if (buffered.chunks.length > 0)
      return (
        !this.#refuseIfClosed(notVerified('error')) &&
        this.#flush(buffered, notVerified('error'), 'part')
      );
    this.outcome = notVerified('error');
    return true;
  }

  /** The request must be parsed once the first byte arrives; a large one is parsed in a thread. */
  #readThenDecide(first: Buffer | null): void {
    const reading = this.lazyRequest.readInThread(this.deps.bodies);
    if (reading === null) {
      this.#decide(first);
      return;
    }
    this.stage = 'reading';
    this.whenDone(reading, () => {
      if (this.stage !== 'reading') return;
      this.stage = 'first';
      const isFast = this.#pendingChunks
        .splice(0)
        .map((chunk) => this.onAnswerData(chunk))
        .every(Boolean);
      if (this.upstreamOver) this.onAnswerEnd();
      else if (isFast) this.resume();
    });
  }

  /** Decides whether to count, buffer or pass on the answer. */
  #decide(first: Buffer | null): void {
    const request = this.lazyRequest.read();
    if (this.#head?.contentEncoding !== null) {
      // A compressed envelope cannot be unwrapped.
      if (!this.sendWithoutShape()) this.#goLive(notVerified('error'));
      return;
    }
    const substituted = first !== null && isSubstituted(request, first);
    if (this.watched && !substituted) this.#turn.count(request);
    const { shouldVerify, breakerOpen, routeShouldVerify } = this.#turn;
    if (this.checksFigures || routeShouldVerify || (shouldVerify && !breakerOpen)) {
      this.#startBuffering(first);
    } else if (shouldVerify) this.#goLive(notVerified('circuit_open'));
    else
      this.#goLive(
        this.#unlessUnavailable(notVerified(request.toolFollowup ? 'tool_followup' : 'not_due')),
      );
  }

  /** While storage is unavailable, answers to be verified after delivery are not verified. */
  #unlessUnavailable(outcome: VerificationHeaders): VerificationHeaders {
    const { project, settings } = this.route;
    const observes =
      settings.verify?.mode === 'observe' ||
      (settings.integrity.mode === 'observe' && !project.integrityOff);
    return observes && !this.isEmbedding && this.deps.recorder.isUnavailable()
      ? verificationUnavailable
      : outcome;
  }

  #goLive(outcome: VerificationHeaders): void {
    if (this.#head === null || this.#refuseIfClosed(outcome)) return;
    this.stage = 'live';
    this.#stopBuffering();
    this.passHead(this.#head, outcome);
  }

  /**
   * A route that fails closed delivers no answer that should have been verified and was not.
   */
  #refuseIfClosed(outcome: VerificationHeaders): boolean {
    if (!this.route.settings.fail_closed || !isUnverifiable(outcome)) return false;
    const message = `the answer was not verified (${outcome.reason ?? 'error'}), and this route delivers verified answers only`;
    this.#refuseBuffered({ status: 503, code: 'not_verified', message, outcome });
    return true;
  }

  /** Sends an error instead of the buffered answer, in a form that the client can still parse. */
  #refuseBuffered(refusal: Refusal & { readonly outcome: VerificationHeaders }): void {
    const { outcome } = refusal;
    this.outcome = outcome;
    this.stage = 'over';
    this.#stopBuffering();
    if (!this.upstreamOver) this.abandon();
    if (this.answer.hasHead)
      this.answer.end(
        Buffer.concat([verificationComment(outcome), errorEvent(this.dialect, refusal)]),
      );
    else refuse(this.answer, this.dialect, refusal);
  }

  /** After the first-token timeout the answer is streamed: the client has waited long enough. */
  get #isLate(): boolean {
    return this.elapsedMs() > this.route.settings.first_token_seconds * 1000;
  }

  #startBuffering(first: Buffer | null): void {
    const head = this.#head;
    if (head === null) return;
    const sent = this.sent;
    const envelopeRequest =
      sent === null ? null : readEnvelopeRequest(this.route, this.dialect, sent.body);
    const form = answerFormOf(head, this.dialect);
    if (
      form !== 'json' &&
      envelopeRequest === null &&
      first !== null &&
      this.#isLate &&
      beginsIn(this.dialect, first)
    )
      return this.#goLive(verificationUnavailable);
    this.stage = 'buffering';
    this.#share = this.input.budget.share();
    this.#buffered = new BufferedBody(this.dialect, form, envelopeRequest);
    if (this.#buffered.form === 'sse') {
      // The final body is not known yet, and neither is its length.
      this.answer.head(withLength(head, null));
      this.answer.flushHead();
      this.answer.keepAlive();
      this.timers.every(this.deps.keepAliveMs, () => this.guarded(() => this.answer.keepAlive()));
    }
    this.after(this.route.settings.total_seconds * 1000 - this.elapsedMs(), () => {
      if (this.stage === 'buffering') this.#deliverUnverified(verificationUnavailable);
    });
  }

  #buffer(chunk: Buffer): boolean {
    const buffered = this.#buffered;
    if (buffered === null) return true;
    const hadBegun = buffered.begun;
    const fits = buffered.push(chunk);
    if (this.#share?.take(chunk.length) === false || !fits) return this.#overflow(buffered);
    if (!hadBegun && buffered.begun && this.#isLate)
      return this.#deliverUnverified(verificationUnavailable);
    // The Quality Verifier is excluded: it does not read tool calls, which are streamed (INT-14).
    if (!this.#turn.shouldVerify && buffered.callsTool)
      return this.#deliverUnverified(notVerified('not_due'));
    return true;
  }

  /**
   * Gives up on verification: sends the buffered chunks, then the rest as it arrives (QV-18). A
   * possible envelope is sent only when complete. Returns false if the client is slow.
   */
  #deliverUnverified(outcome: VerificationHeaders): boolean {
    const buffered = this.#buffered;
    if (buffered === null || this.#refuseIfClosed(outcome)) return true;
    if (!buffered.mayBeEnvelope) return this.#flush(buffered, outcome, 'whole');
    this.#deferredOutcome ??= outcome;
    return true;
  }

  /** Too long to buffer: an envelope is cut, since its rest cannot be unwrapped as it arrives. */
  #overflow(buffered: BufferedBody): boolean {
    const outcome = notVerified('overflow');
    if (!buffered.mayBeEnvelope) return this.#deliverUnverified(outcome);
    if (this.#refuseIfClosed(outcome)) return true;
    this.broken = true;
    this.abandon();
    if (this.#flush(buffered, outcome, 'part')) this.answer.end(errorEvent(this.dialect, tooLong));
    return true;
  }

  /** Sends the chunks. Returns false if the client is slow or, for a part, got an error instead. */
  #flush(buffered: BufferedBody, outcome: VerificationHeaders, extent: 'whole' | 'part'): boolean {
    const chunks = buffered.plain();
    // A truncated JSON body cannot be delivered in part.
    if (
      chunks === null ||
      (extent === 'part' && buffered.form === 'json' && chunks !== buffered.chunks)
    ) {
      this.#refuseBuffered(malformedAnswer);
      return extent === 'whole';
    }
    this.outcome = outcome;
    this.stage = 'live';
    this.#stopBuffering();
    let fast = true;
    if (buffered.form === 'sse')
      fast = this.answer.write(verificationComment(outcome), this.resume);
    else if (this.#head !== null)
      this.passHead(
        chunks === buffered.chunks
          ? this.#head
          : withLength(this.#head, buffered.form === 'json' ? bytesOf(chunks) : null),
        outcome,
      );
    for (const chunk of chunks) {
      this.#capture.add(chunk);
      fast = this.answer.write(chunk, this.resume);
    }
    if (fast) this.#share?.free();
    return fast || extent === 'part';
  }

  /** Frees the buffer and lets the session's next call be verified. */
  #stopBuffering(): void {
    this.timers.clear();
    this.#buffered = null;
    this.sent = null;
    this.#turn.endVerification();
  }

  /** Verifies the complete answer, then delivers it. */
  #settle(): void {
    const buffered = this.#buffered;
    if (buffered === null) return;
    this.#lastByteAt = this.deps.clock.monotonicMs();
    if (this.#deferredOutcome !== null) {
      this.#deliverAsIs(buffered, this.#deferredOutcome);
      return;
    }
    this.stage = 'verifying';
    this.after(
      this.route.settings.total_seconds * 1000 - this.elapsedMs() + SETTLE_GRACE_MS,
      () => {
        if (this.stage === 'verifying') this.#deliverAsIs(buffered, verificationUnavailable);
      },
    );
    this.whenDone(buffered.readAnswer(this.deps.bodies, this.route.project.id), (answer) => {
      if (this.stage !== 'verifying') return;
      if (typeof answer === 'string') this.#deliverAsIs(buffered, notVerified(answer));
      else this.#verify(buffered, answer);
    });
  }

  #verify(buffered: BufferedBody, answer: BufferedAnswer): void {
    this.#closing = new AbortController();
    const state = { ...this.#turn.state, clientBody: this.lazyRequest.body, retries: this.retries };
    const request = this.sent ?? this.lazyRequest.read();
    this.deps.finishAnswer(request, answer, state, this.#closing.signal).then(
      (finished) =>
        this.guarded(() => this.stage === 'verifying' && this.#deliver(answer, finished)),
      (error: unknown) => {
        this.deps.log.error(
          { err: error, route: this.route.name },
          'an answer could not be verified',
        );
        this.guarded(
          () => this.stage === 'verifying' && this.#deliverAsIs(buffered, verificationUnavailable),
        );
      },
    );
  }

  #deliverAsIs(buffered: BufferedBody, outcome: VerificationHeaders): void {
    this.#deliveryDelayMs = this.deps.clock.monotonicMs() - this.#lastByteAt;
    if (this.closed || this.#refuseIfClosed(outcome)) return;
    this.#flush(buffered, outcome, 'whole');
    if (this.stage === 'live') this.endAsIs();
  }

  #deliver(original: BufferedAnswer, finished: FinishedAnswer): void {
    const { outcome, answer } = finished;
    this.#finished = finished;
    this.#deliveryDelayMs = this.deps.clock.monotonicMs() - this.#lastByteAt;
    if (this.closed || this.#head === null || this.#refuseIfClosed(outcome)) return;
    if (finished.undeliverable === true) {
      this.#refuseBuffered(malformedAnswer);
      return;
    }
    this.outcome = outcome;
    this.stage = 'live';
    this.#stopBuffering();
    for (const chunk of answer.chunks) this.#capture.add(chunk);
    if (answer.form === 'sse') {
      const stream = answer === original ? original : { chunks: answer.chunks };
      for (const chunk of withComment(this.dialect, stream, verificationComment(outcome)))
        this.answer.write(chunk, this.resume);
    } else {
      const head =
        answer === original ? this.#head : withLength(this.#head, bytesOf(answer.chunks));
      setVerificationHeaders(head.headers, outcome);
      this.answer.head(head);
      for (const chunk of answer.chunks) this.answer.write(chunk, this.resume);
    }
    // The upstream's trailers apply only to its own answer.
    if (answer === original) this.endAsIs();
    else this.answer.end();
  }

  protected override onClosed(): void {
    this.#share?.free();
    this.#stopBuffering();
    this.#closing?.abort();
    const delivered = this.stage === 'live';
    this.stage = 'over';
    if (!delivered || this.#head === null) {
      this.deps.recorder.count(this.route, this.outcome);
      return;
    }
    const { startedAt, startedOn } = this.input.facts;
    this.deps.recorder.note({
      route: this.route,
      ...forRecord(this.lazyRequest),
      requestBytes: this.lazyRequest.bytes,
      startedOn,
      status: this.#head.status,
      outcome: this.outcome,
      chunks: this.#capture.chunks,
      contentEncoding: this.#head.contentEncoding,
      form: answerFormOf(this.#head, this.lazyRequest.facts.dialect),
      truncated: this.#capture.truncated,
      partial: this.broken || !this.answer.response.writableFinished,
      firstByteMs: this.#firstByteAt === null ? null : this.#firstByteAt - startedAt,
      durationMs: this.elapsedMs(),
      deliveryDelayMs: this.#deliveryDelayMs,
      units: this.#turn.units,
      counter: this.#turn.counter,
      finished: this.#finished,
    });
  }
}
