import type { BufferedAnswer, Settled, VerificationHeaders } from '../exchange';
import { asksEnvelope } from '../verify/envelope-request';
import { type AnswerHead, withLength } from './headers';
import { forRecord } from './call-facts';
import { Capture } from './capture';
import { CountedTurn } from './counted-turn';
import { beginsIn, BufferedBody, withComment } from './buffered-body';
import type { BufferShare } from './buffer-space';
import { isSubstituted, modelIn } from './model-in';
import { errorEvent, overlong, refuse, type Refusal, unreadable } from './refuse';
import { isEventStream } from './relay';
import { SentCall } from './sent-call';
import {
  isUnverifiable,
  notVerified,
  setVerificationHeaders,
  verificationComment,
  unavailable,
} from './verification-headers';

const bytesOf = (chunks: readonly Buffer[]): number =>
  chunks.reduce((sum, { length }) => sum + length, 0);

/** Beyond the total deadline, which `settleHeld` keeps by itself. */
const SETTLE_GRACE_MS = 2000;

/** A call to a model: counted, held where a verification is due, kept for its record. */
export class ModelCall extends SentCall {
  readonly #capture = new Capture();
  #head: AnswerHead | null = null;
  /** What came of the answer while the request was read. */
  #early: Buffer[] = [];
  #buffered: BufferedBody | null = null;
  #share: BufferShare | null = null;
  /** Not to be verified any more, and held all the same: it may be an envelope. */
  #late: VerificationHeaders | null = null;
  #settled: Settled | null = null;
  readonly #turn = new CountedTurn(this.deps, this.route);
  #firstByteAt: number | null = null;
  #lastByteAt = 0;
  #bufferedMs: number | null = null;
  #leaving: AbortController | null = null;

  override giveUp(refusal: Refusal): void {
    this.broken = true;
    if (this.stage !== 'live') {
      this.stage = 'over';
      this.verification = notVerified('error');
    }
    this.#endHold();
    super.giveUp(refusal);
  }

  protected onAnswer(head: AnswerHead): void {
    this.#head = head;
    if (this.watched || this.holdsIntegrity) this.stage = 'first';
    else {
      this.stage = 'live';
      this.passHead(head, this.#unlessAway(notVerified('disabled')));
    }
  }

  protected onAnswerData(chunk: Buffer): boolean {
    this.#firstByteAt ??= this.deps.clock.monotonicMs();
    if (this.stage === 'first') this.#readThenDecide(chunk);
    if (this.stage === 'reading') {
      this.#early.push(chunk);
      return false;
    }
    if (this.stage === 'held') return this.#hold(chunk);
    // After an error or a refusal the answer is not the upstream's any more, or not kept.
    if (this.stage === 'live') this.#capture.add(chunk);
    else if (this.stage !== 'over' || this.upstreamOver) return true;
    return this.answer.write(chunk, this.resume);
  }

  protected onAnswerEnd(): void {
    if (this.stage === 'first') this.#readThenDecide(null);
    if (this.stage === 'reading') return;
    if (this.stage === 'held') this.#settle();
    else if (this.stage !== 'asking') this.endAsIs();
  }

  protected onAnswerBroken(): boolean {
    if (this.stage === 'reading') this.stage = 'over';
    const body = this.#buffered;
    if (this.stage !== 'held' || body === null) return true;
    if (body.chunks.length > 0)
      return (
        !this.#refuseIfClosed(notVerified('error')) &&
        this.#flush(body, notVerified('error'), 'part')
      );
    this.verification = notVerified('error');
    return true;
  }

  /**
   * At the answer's first byte: what the request says must be known, and of a large one it is read
   * in a thread.
   */
  #readThenDecide(first: Buffer | null): void {
    const reading = this.kept.readInThread(this.deps.bodies);
    if (reading === null) {
      this.#decide(first);
      return;
    }
    this.stage = 'reading';
    this.whenDone(reading, () => {
      if (this.stage !== 'reading') return;
      this.stage = 'first';
      const isFast = this.#early
        .splice(0)
        .map((chunk) => this.onAnswerData(chunk))
        .every(Boolean);
      if (this.upstreamOver) this.onAnswerEnd();
      else if (isFast) this.resume();
    });
  }

  /** Is the answer counted, is it due, is it held? */
  #decide(first: Buffer | null): void {
    const request = this.kept.read();
    if (this.#head?.contentEncoding !== null) {
      // An envelope that cannot be read cannot be unwrapped either.
      if (!this.sendWithoutShape()) this.#goLive(notVerified('error'));
      return;
    }
    const substituted = first !== null && isSubstituted(request.model, modelIn(first));
    if (this.watched && !substituted) this.#turn.count(request);
    const { due, breakerOpen } = this.#turn;
    if (this.holdsIntegrity || (due && !breakerOpen)) {
      this.#beginHold(first);
    } else if (due) this.#goLive(notVerified('circuit_open'));
    else
      this.#goLive(
        this.#unlessAway(notVerified(request.toolFollowup ? 'tool_followup' : 'not_due')),
      );
  }

  /** Nothing can be recorded: what is only observed will not be judged. */
  #unlessAway(verification: VerificationHeaders): VerificationHeaders {
    const { project, settings } = this.route;
    const observes = settings.integrity.mode === 'observe' && !project.integrityOff;
    return observes && this.deps.recorder.isAway() ? unavailable : verification;
  }

  #goLive(verification: VerificationHeaders): void {
    if (this.#head === null || this.#refuseIfClosed(verification)) return;
    this.stage = 'live';
    this.#endHold();
    this.passHead(this.#head, verification);
  }

  /**
   * A route that fails closed delivers nothing that should have been verified and was not.
   */
  #refuseIfClosed(verification: VerificationHeaders): boolean {
    if (!this.route.settings.fail_closed || !isUnverifiable(verification)) return false;
    const message = `the answer was not verified (${verification.reason ?? 'error'}), and this route delivers verified answers only`;
    this.#refuseBuffered({ status: 503, code: 'not_verified', message, verification });
    return true;
  }

  /** An error in place of a held answer, in whatever form its client can read by now. */
  #refuseBuffered(refusal: Refusal & { readonly verification: VerificationHeaders }): void {
    const { verification } = refusal;
    this.verification = verification;
    this.stage = 'over';
    this.#endHold();
    if (!this.upstreamOver) this.abandon();
    if (this.answer.hasHead)
      this.answer.end(
        Buffer.concat([verificationComment(verification), errorEvent(this.dialect, refusal)]),
      );
    else refuse(this.answer, this.dialect, refusal);
  }

  /**
   * A client that waited this long for a stream's first token does not wait for its last as well.
   */
  get #isLate(): boolean {
    return this.elapsedMs() > this.route.settings.first_token_seconds * 1000;
  }

  #beginHold(first: Buffer | null): void {
    const head = this.#head;
    if (head === null) return;
    const sent = this.sent;
    const asked = sent === null ? null : asksEnvelope(this.route, this.dialect, sent.body);
    const form = isEventStream(head) ? 'sse' : 'json';
    if (
      form === 'sse' &&
      asked === null &&
      first !== null &&
      this.#isLate &&
      beginsIn(this.dialect, first)
    )
      return this.#goLive(unavailable);
    this.stage = 'held';
    this.#share = this.input.room.share();
    this.#buffered = new BufferedBody(this.dialect, form, asked);
    if (this.#buffered.form === 'sse') {
      // What will be delivered is not known yet, and so neither is its length.
      this.answer.head(withLength(head, null));
      this.answer.flushHead();
      this.answer.keepAlive();
      this.timers.every(this.deps.keepAliveMs, () => this.guarded(() => this.answer.keepAlive()));
    }
    this.after(this.route.settings.total_seconds * 1000 - this.elapsedMs(), () => {
      if (this.stage === 'held') this.#release(unavailable);
    });
  }

  #hold(chunk: Buffer): boolean {
    const body = this.#buffered;
    if (body === null) return true;
    const hadBegun = body.begun;
    const fits = body.push(chunk);
    if (this.#share?.take(chunk.length) === false || !fits) return this.#overflow(body);
    if (!hadBegun && body.begun && this.#isLate) return this.#release(unavailable);
    // Held for its figures alone: a tool call is progress and no final answer, and progress streams
    // (INT-14).
    if (!this.#turn.due && body.callsTool) return this.#release(notVerified('not_due'));
    return true;
  }

  /**
   * Sends what is buffered unverified, and the rest as it arrives (QV-18); a possible envelope once
   * it is whole. False: the client is slow.
   */
  #release(verification: VerificationHeaders): boolean {
    const body = this.#buffered;
    if (body === null || this.#refuseIfClosed(verification)) return true;
    if (!body.mayBeEnvelope) return this.#flush(body, verification, 'whole');
    this.#late ??= verification;
    return true;
  }

  /** Over the limit. Of an envelope the client gets only what has arrived. */
  #overflow(body: BufferedBody): boolean {
    const verification = notVerified('overflow');
    if (!body.mayBeEnvelope) return this.#release(verification);
    if (this.#refuseIfClosed(verification)) return true;
    this.broken = true;
    this.abandon();
    if (this.#flush(body, verification, 'part'))
      this.answer.end(errorEvent(this.dialect, overlong));
    return true;
  }

  /** False: the client is slow; of a part: none of it could be sent, and the client has an error. */
  #flush(body: BufferedBody, verification: VerificationHeaders, what: 'whole' | 'part'): boolean {
    const chunks = body.plain();
    // A body that was cut before its end cannot be delivered in part.
    if (chunks === null || (what === 'part' && body.form === 'json' && chunks !== body.chunks)) {
      this.#refuseBuffered(unreadable);
      return what === 'whole';
    }
    this.verification = verification;
    this.stage = 'live';
    this.#endHold();
    let fast = true;
    if (body.form === 'sse')
      fast = this.answer.write(verificationComment(verification), this.resume);
    else if (this.#head !== null)
      this.passHead(
        chunks === body.chunks ? this.#head : withLength(this.#head, bytesOf(chunks)),
        verification,
      );
    for (const chunk of chunks) {
      this.#capture.add(chunk);
      fast = this.answer.write(chunk, this.resume);
    }
    if (fast) this.#share?.free();
    return fast || what === 'part';
  }

  /**
   * The answer is held no longer: what that took is let go of, and the session's next call may be
   * due.
   */
  #endHold(): void {
    this.timers.clear();
    this.#buffered = null;
    this.sent = null;
    this.#turn.endHold();
  }

  /** The answer is whole: it is verified, and then delivered once. */
  #settle(): void {
    const body = this.#buffered;
    if (body === null) return;
    this.#lastByteAt = this.deps.clock.monotonicMs();
    if (this.#late !== null) {
      this.#deliverAsIs(body, this.#late);
      return;
    }
    this.stage = 'settling';
    const leftMs = this.route.settings.total_seconds * 1000 - this.elapsedMs();
    this.after(leftMs + SETTLE_GRACE_MS, () => {
      if (this.stage === 'settling') this.#deliverAsIs(body, unavailable);
    });
    this.whenDone(body.whole(this.deps.bodies, this.route.project.id), (whole) => {
      if (this.stage !== 'settling') return;
      if (typeof whole === 'string') this.#deliverAsIs(body, notVerified(whole));
      else this.#verify(body, whole);
    });
  }

  #verify(body: BufferedBody, whole: BufferedAnswer): void {
    this.#leaving = new AbortController();
    const state = {
      due: this.#turn.due,
      breakerOpen: this.#turn.breakerOpen,
      counter: this.#turn.counter,
      retries: this.retries,
    };
    this.deps.finishAnswer(this.sent ?? this.kept.read(), whole, state, this.#leaving.signal).then(
      (settled) => this.guarded(() => this.stage === 'settling' && this.#deliver(whole, settled)),
      (error: unknown) => {
        this.deps.log.error(
          { err: error, route: this.route.name },
          'an answer could not be settled',
        );
        this.guarded(() => this.stage === 'settling' && this.#deliverAsIs(body, unavailable));
      },
    );
  }

  #deliverAsIs(body: BufferedBody, verification: VerificationHeaders): void {
    this.#bufferedMs = this.deps.clock.monotonicMs() - this.#lastByteAt;
    if (this.closed || this.#refuseIfClosed(verification)) return;
    this.#flush(body, verification, 'whole');
    if (this.stage === 'live') this.endAsIs();
  }

  #deliver(original: BufferedAnswer, settled: Settled): void {
    const { verification, answer } = settled;
    this.#settled = settled;
    this.#bufferedMs = this.deps.clock.monotonicMs() - this.#lastByteAt;
    if (this.closed || this.#head === null || this.#refuseIfClosed(verification)) return;
    if (settled.undeliverable === true) {
      this.#refuseBuffered(unreadable);
      return;
    }
    this.verification = verification;
    this.stage = 'live';
    this.#endHold();
    for (const chunk of answer.chunks) this.#capture.add(chunk);
    if (answer.form === 'sse') {
      const stream = answer === original ? original : { chunks: answer.chunks };
      for (const chunk of withComment(this.dialect, stream, verificationComment(verification)))
        this.answer.write(chunk, this.resume);
    } else {
      const head =
        answer === original ? this.#head : withLength(this.#head, bytesOf(answer.chunks));
      setVerificationHeaders(head.headers, verification);
      this.answer.head(head);
      for (const chunk of answer.chunks) this.answer.write(chunk, this.resume);
    }
    // Of another answer the upstream's trailers tell nothing.
    if (answer === original) this.endAsIs();
    else this.answer.end();
  }

  protected override onClosed(): void {
    this.#share?.free();
    this.#endHold();
    this.#leaving?.abort();
    const delivered = this.stage === 'live';
    this.stage = 'over';
    if (!delivered || this.#head === null) {
      this.deps.recorder.count(this.route, this.verification);
      return;
    }
    const { startedAt, startedOn } = this.input.facts;
    this.deps.recorder.note({
      route: this.route,
      ...forRecord(this.kept),
      requestBytes: this.kept.bytes,
      startedOn,
      status: this.#head.status,
      verification: this.verification,
      chunks: this.#capture.chunks,
      contentEncoding: this.#head.contentEncoding,
      form: isEventStream(this.#head) ? 'sse' : 'json',
      truncated: this.#capture.truncated,
      partial: this.broken || !this.answer.response.writableFinished,
      firstByteMs: this.#firstByteAt === null ? null : this.#firstByteAt - startedAt,
      durationMs: this.elapsedMs(),
      bufferedMs: this.#bufferedMs,
      units: this.#turn.units,
      counter: this.#turn.counter,
      settled: this.#settled,
    });
  }
}
