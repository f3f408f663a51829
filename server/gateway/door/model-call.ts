import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { ExchangeRequest, HeldAnswer, Settled, Told } from '../exchange';
import { isTransientStatus } from '../held/retry-transient';
import { type AnswerHead, requestHeaders, withLength } from '../forward/headers';
import { problemOf } from '../forward/problem';
import type { Upstream } from '../forward/upstreams';
import { type CallFacts, forRecord, KeptRequest } from './call-facts';
import { CallTimers } from './call-timers';
import { Capture } from './capture';
import { HeldBody, withComment } from './held-body';
import type { HeldRoom, HeldShare } from './held-room';
import { isSubstituted, modelIn } from './model-in';
import { errorEvent, refuse, type Refusal } from './refuse';
import { isEventStream, Relay, type RelayInput } from './relay';
import { isUnverifiable, notVerified, tellInHeaders, toldComment, unavailable } from './told';

export interface ModelCallInput extends RelayInput {
  readonly facts: CallFacts;
  readonly incoming: IncomingMessage;
  readonly upstream: Upstream;
  readonly virtual: boolean;
  readonly room: HeldRoom;
}

/** How far the call is: before its answer, at the answer's first byte, on its way to the client, or kept back. */
type Stage = 'asking' | 'first' | 'live' | 'held' | 'settling' | 'over';

/** Beyond the total deadline, which `settleHeld` keeps by itself. */
const SETTLE_GRACE_MS = 2000;

/** A call to a model: counted, held where a verification is due, kept for its record. */
export class ModelCall extends Relay {
  readonly #input: ModelCallInput;
  /** The client's own; `#sent` is the one with the body that went up. */
  readonly #kept: KeptRequest;
  readonly #watched: boolean;
  readonly #holdsIntegrity: boolean;
  readonly #capture = new Capture();
  #stage: Stage = 'asking';
  #head: AnswerHead | null = null;
  #sent: ExchangeRequest | null = null;
  #held: HeldBody | null = null;
  #share: HeldShare | null = null;
  #settled: Settled | null = null;
  #counted = { units: 0, counter: 0, due: false };
  /** The session waits for what this call's verification comes to. */
  #holdsTurn = false;
  #breakerOpen = false;
  #retries = 0;
  #firstByteAt: number | null = null;
  #lastByteAt = 0;
  #heldMs: number | null = null;
  #broken = false;
  #leaving: AbortController | null = null;
  readonly #timers = new CallTimers();

  constructor(input: ModelCallInput) {
    super(input);
    const { settings, project } = input.route;
    this.#input = input;
    this.#kept = new KeptRequest(input.facts);
    this.#watched = settings.quality_verifier.model !== null;
    this.#holdsIntegrity = settings.integrity.mode === 'hold' && !project.integrityOff;
  }

  passing(chunk: Buffer): void {
    this.#kept.add(chunk);
  }

  /** Sends the request up: collected, or as it comes. */
  send(body: Buffer | Readable | null): void {
    const { virtual, upstream, incoming } = this.#input;
    if (Buffer.isBuffer(body)) this.passing(body);
    this.#kept.headers = requestHeaders(incoming.rawHeaders, {
      credential: virtual ? upstream.credential : null,
      passCredentials: !virtual,
      askIdentity: this.#watched || this.#holdsIntegrity || (virtual && upstream.secret !== null),
      keepLength: body !== null && !Buffer.isBuffer(body),
    });
    if (Buffer.isBuffer(body) && this.deps.mayPrepare(this.route)) {
      const request = this.#kept.read();
      const { id, route, dialect, noteKey } = request;
      this.#sent = { ...request, body: this.deps.prepare({ id, route, dialect, noteKey, body }) };
    }
    this.#dispatch(this.#sent?.body ?? body);
  }

  #dispatch(body: Buffer | Readable | null): void {
    const { upstream, facts } = this.#input;
    try {
      this.deps.forward.dispatch(upstream, { method: 'POST', path: facts.path, headers: this.#kept.headers, body }, this);
    } catch (error) {
      this.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  override giveUp(refusal: Refusal): void {
    this.#broken = true;
    if (this.#stage !== 'live') {
      this.#stage = 'over';
      this.told = notVerified('error');
    }
    this.#endHold();
    super.giveUp(refusal);
  }

  protected override onHead(head: AnswerHead): void {
    const isAnswer = head.status >= 200 && head.status < 300 && head.status !== 204;
    if (!isAnswer) {
      if (this.#tryAgain(head.status)) return;
      this.#stage = 'over';
      this.passHead(head, notVerified('error'));
    } else if (this.#watched || this.#holdsIntegrity) {
      this.#head = head;
      this.#stage = 'first';
    } else {
      this.#head = head;
      this.#stage = 'live';
      this.passHead(head, this.#unlessAway(notVerified('disabled')));
    }
  }

  override onData(chunk: Buffer): boolean {
    this.#firstByteAt ??= this.deps.clock.monotonicMs();
    if (this.#stage === 'first') this.#decide(chunk);
    if (this.#stage === 'held') return this.#hold(chunk);
    // After an error or a refusal the answer is not the upstream's any more, or not kept.
    if (this.#stage === 'live') this.#capture.add(chunk);
    else if (this.#stage !== 'over' || this.upstreamOver) return true;
    return this.answer.write(chunk, this.resume);
  }

  protected override onUpstreamEnd(): void {
    if (this.#stage === 'first') this.#decide(null);
    if (this.#stage === 'held') this.#settle();
    else if (this.#stage !== 'asking') this.endAsIs();
  }

  protected override onBroken(error: Error): void {
    this.#timers.clear();
    if (this.#stage === 'asking' && mayPass(error) && this.#tryAgain(null)) return;
    this.#broken = true;
    const held = this.#held;
    if (this.#stage === 'held' && held !== null) {
      if (held.chunks.length === 0) this.told = notVerified('error');
      else if (this.#refuseIfClosed(notVerified('error'))) return;
      else this.#flush(held, notVerified('error'));
    }
    super.onBroken(error);
  }

  /** Whether what came so far may be left aside and the request be sent once more (INT-9). */
  #tryAgain(status: number | null): boolean {
    const delay = this.deps.retryDelaysMs[this.#retries];
    const transient = status === null || isTransientStatus(status);
    const body = this.#sent?.body ?? null;
    if (!this.#holdsIntegrity || !transient || delay === undefined || body === null || this.closed) return false;
    if (this.#elapsedMs() + delay > this.route.settings.total_seconds * 1000) return false;
    this.#retries++;
    this.#stage = 'asking';
    if (status !== null) this.abandon();
    this.#after(delay, () => {
      this.upstreamOver = false;
      this.#dispatch(body);
    });
    return true;
  }

  /** At the answer's first byte: is it counted, is it due, is it held? */
  #decide(first: Buffer | null): void {
    const { settings, project } = this.route;
    const { quality_verifier: verifier } = settings;
    const request = this.#kept.read();
    if (this.#head?.contentEncoding !== null) return this.#goLive(notVerified('error'));
    const substituted = first !== null && isSubstituted(request.model, modelIn(first));
    if (this.#watched && !substituted) {
      const { id: projectId } = project;
      const { sessionId, clientRequestId, toolFollowup, body } = request;
      this.#counted = this.deps.turns.advance({ projectId, sessionId, clientRequestId, settings: verifier, toolFollowup, body });
      this.#holdsTurn = this.#counted.due;
      this.#breakerOpen = this.#counted.due && verifier.model !== null && this.deps.breakers.isOpen(projectId, verifier.model);
    }
    const { due } = this.#counted;
    if (this.#holdsIntegrity || (due && !this.#breakerOpen)) {
      // Who waited so long for a stream's first byte does not wait for its last as well.
      if (isEventStream(this.#head) && this.#elapsedMs() > settings.first_token_seconds * 1000) this.#goLive(unavailable);
      else this.#beginHold();
    } else if (due) this.#goLive(notVerified('circuit_open'));
    else this.#goLive(this.#unlessAway(notVerified(request.toolFollowup ? 'tool_followup' : 'not_due')));
  }

  /** Nothing can be recorded: what is only observed will not be judged. */
  #unlessAway(told: Told): Told {
    const { project, settings } = this.route;
    const observes = settings.integrity.mode === 'observe' && !project.integrityOff;
    return observes && this.deps.recorder.isAway() ? unavailable : told;
  }

  #goLive(told: Told): void {
    if (this.#head === null || this.#refuseIfClosed(told)) return;
    this.#stage = 'live';
    this.#endHold();
    this.passHead(this.#head, told);
  }

  /** A route that fails closed delivers nothing that should have been verified and was not. */
  #refuseIfClosed(told: Told): boolean {
    if (!this.route.settings.fail_closed || !isUnverifiable(told)) return false;
    this.told = told;
    this.#stage = 'over';
    this.#endHold();
    if (!this.upstreamOver) this.abandon();
    const message = `the answer was not verified (${told.reason ?? 'error'}), and this route delivers no other`;
    const refusal = { status: 503, code: 'not_verified', message, told };
    if (this.answer.hasHead) this.answer.end(Buffer.concat([toldComment(told), errorEvent(this.dialect, refusal)]));
    else refuse(this.answer, this.dialect, refusal);
    return true;
  }

  #beginHold(): void {
    const head = this.#head;
    if (head === null) return;
    this.#stage = 'held';
    this.#share = this.#input.room.share();
    this.#held = new HeldBody(this.dialect, isEventStream(head) ? 'sse' : 'json');
    if (this.#held.form === 'sse') {
      // What will be delivered is not known yet, and so neither is its length.
      this.answer.head(withLength(head, null));
      this.answer.flushHead();
      this.answer.keepAlive();
      this.#timers.every(this.deps.keepAliveMs, () => this.guarded(() => this.answer.keepAlive()));
    }
    this.#after(this.route.settings.total_seconds * 1000 - this.#elapsedMs(), () => {
      if (this.#stage === 'held') this.#release(unavailable);
    });
  }

  #hold(chunk: Buffer): boolean {
    const fits = this.#held?.push(chunk) !== false;
    if (this.#share?.take(chunk.length) === false || !fits) return this.#release(notVerified('overflow'));
    // Held for its figures alone: a tool call is progress and no final answer, and progress streams (INT-14).
    if (!this.#counted.due && this.#held?.callsTool === true) return this.#release(notVerified('not_due'));
    return true;
  }

  /** Gives up holding: what was kept goes out in order, and the rest as it comes (QV-18). False: the client is slow. */
  #release(told: Told): boolean {
    const held = this.#held;
    if (held === null || this.#refuseIfClosed(told)) return true;
    return this.#flush(held, told);
  }

  #flush(held: HeldBody, told: Told): boolean {
    this.told = told;
    this.#stage = 'live';
    this.#endHold();
    let fast = true;
    if (held.form === 'sse') fast = this.answer.write(toldComment(told), this.resume);
    else if (this.#head !== null) this.passHead(this.#head, told);
    for (const chunk of held.chunks) {
      this.#capture.add(chunk);
      fast = this.answer.write(chunk, this.resume);
    }
    if (fast) this.#share?.free();
    return fast;
  }

  /** The answer is held no longer: what that took is let go of, and the session's next call may be due. */
  #endHold(): void {
    this.#timers.clear();
    this.#held = null;
    this.#sent = null;
    if (!this.#holdsTurn) return;
    this.#holdsTurn = false;
    this.deps.turns.endHold(this.route.project.id, this.#kept.read().sessionId);
  }

  /** The answer is whole: it is verified, and then delivered once. */
  #settle(): void {
    const held = this.#held;
    if (held === null) return;
    this.#lastByteAt = this.deps.clock.monotonicMs();
    const whole = held.whole();
    if (whole === 'overflow' || whole === 'unreadable') {
      this.#deliverAsIs(held, notVerified(whole === 'overflow' ? 'overflow' : 'error'));
      return;
    }
    this.#stage = 'settling';
    this.#leaving = new AbortController();
    const state = { due: this.#counted.due, breakerOpen: this.#breakerOpen, counter: this.#counted.counter, retries: this.#retries };
    this.#after(this.route.settings.total_seconds * 1000 - this.#elapsedMs() + SETTLE_GRACE_MS, () => {
      if (this.#stage === 'settling') this.#deliverAsIs(held, unavailable);
    });
    this.deps.settleHeld(this.#sent ?? this.#kept.read(), whole, state, this.#leaving.signal).then(
      (settled) => this.guarded(() => this.#stage === 'settling' && this.#deliver(whole, settled)),
      (error: unknown) => {
        this.deps.log.error({ err: error, route: this.route.name }, 'an answer could not be settled');
        this.guarded(() => this.#stage === 'settling' && this.#deliverAsIs(held, unavailable));
      },
    );
  }

  #deliverAsIs(held: HeldBody, told: Told): void {
    this.#heldMs = this.deps.clock.monotonicMs() - this.#lastByteAt;
    if (this.closed || this.#refuseIfClosed(told)) return;
    this.#flush(held, told);
    this.endAsIs();
  }

  #deliver(original: HeldAnswer, settled: Settled): void {
    const { told, answer } = settled;
    this.#settled = settled;
    this.#heldMs = this.deps.clock.monotonicMs() - this.#lastByteAt;
    if (this.closed || this.#head === null || this.#refuseIfClosed(told)) return;
    this.told = told;
    this.#stage = 'live';
    this.#endHold();
    for (const chunk of answer.chunks) this.#capture.add(chunk);
    if (answer.form === 'sse') {
      for (const chunk of withComment(this.dialect, answer.chunks, toldComment(told))) this.answer.write(chunk, this.resume);
    } else {
      const bytes = answer.chunks.reduce((sum, { length }) => sum + length, 0);
      const head = answer === original ? this.#head : withLength(this.#head, bytes);
      tellInHeaders(head.headers, told);
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
    const delivered = this.#stage === 'live';
    this.#stage = 'over';
    if (!delivered || this.#head === null) {
      this.deps.recorder.count(this.route, this.told);
      return;
    }
    const { startedAt, startedOn } = this.#input.facts;
    this.deps.recorder.note({
      route: this.route,
      ...forRecord(this.#kept),
      requestBytes: this.#kept.bytes,
      startedOn,
      status: this.#head.status,
      told: this.told,
      chunks: this.#capture.chunks,
      contentEncoding: this.#head.contentEncoding,
      form: isEventStream(this.#head) ? 'sse' : 'json',
      truncated: this.#capture.truncated,
      partial: this.#broken || !this.answer.response.writableFinished,
      firstByteMs: this.#firstByteAt === null ? null : this.#firstByteAt - startedAt,
      durationMs: this.#elapsedMs(),
      heldMs: this.#heldMs,
      units: this.#counted.units,
      counter: this.#counted.counter,
      settled: this.#settled,
    });
  }

  #elapsedMs(): number {
    return this.deps.clock.monotonicMs() - this.#input.facts.startedAt;
  }

  #after(ms: number, act: () => void): void {
    this.#timers.after(ms, () => {
      if (!this.closed) this.guarded(act);
    });
  }
}

/** Whether the same request may go well the next time: a refused address and a request that cannot be written stay what they are. */
function mayPass(error: Error): boolean {
  const { kind } = problemOf(error);
  return kind === 'timeout' || kind === 'unreachable';
}
