import type { GatewayDialect } from '../../domain';
import { dialectOf } from '../dialects/dialects';
import type { AnswerForm, GatewayRoute, VerificationHeaders } from '../exchange';
import { type AnswerHead, answerHead, answerTrailers } from './headers';
import type { UpstreamHandler } from './forward';
import { problemOf } from './problem';
import type { ClientAnswer } from './client-answer';
import type { ProxyDeps } from './deps';
import { refuse, type Refusal } from './refuse';
import { notVerified, setVerificationHeaders } from './verification-headers';

export interface RelayInput {
  readonly deps: ProxyDeps;
  readonly answer: ClientAnswer;
  readonly route: GatewayRoute;
  /** The format of errors. */
  readonly dialect: GatewayDialect;
  /** Called once, when client and upstream are both finished. */
  readonly ended: () => void;
}

/**
 * One call in progress: undici's handler on one side, the client's response on the other. A class
 * instead of closures, since there is one per call and a call takes about 30 µs.
 */
export class Relay implements UpstreamHandler {
  protected readonly deps: ProxyDeps;
  protected readonly answer: ClientAnswer;
  protected readonly route: GatewayRoute;
  protected readonly dialect: GatewayDialect;
  protected outcome: VerificationHeaders = notVerified('disabled');
  /** The client's connection is closed, with or without an answer. */
  protected closed = false;
  /** The upstream's answer has ended, or broken off. */
  protected upstreamOver = false;
  protected resume: () => void = ignore;
  #abort: ((error?: Error) => void) | null = null;
  #trailers: readonly [name: string, value: string][] = [];
  readonly #ended: () => void;

  constructor({ deps, answer, route, dialect, ended }: RelayInput) {
    this.deps = deps;
    this.answer = answer;
    this.route = route;
    this.dialect = dialect;
    this.#ended = ended;
    // A write after a disconnect is not an error; `close` reports the disconnect.
    answer.response.on('error', ignore);
    // Fires once, after the last byte of the answer or a disconnect.
    answer.onceClosed(() => {
      this.closed = true;
      if (!this.upstreamOver) this.abandon();
      try {
        this.onClosed();
      } catch (error) {
        deps.log.error({ err: error, route: route.name }, 'a call could not be recorded');
      }
      this.#ended();
    });
  }

  /** Aborts the upstream request. */
  protected abandon(): void {
    this.upstreamOver = true;
    this.#abort?.(leftError);
  }

  /**
   * Ends the call with an error of the gateway or, if the answer has started, by cutting it off.
   */
  giveUp(refusal: Refusal): void {
    if (!this.upstreamOver) this.abandon();
    if (this.answer.hasHead) this.answer.cut();
    else {
      this.outcome = refusal.outcome ?? notVerified('error');
      refuse(this.answer, this.dialect, refusal);
    }
  }

  /**
   * Runs a callback that has no caller to catch its errors: an error ends this call, never the
   * process.
   */
  protected guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.deps.log.error(
        { err: error, route: this.route.name },
        'an answer could not be passed on',
      );
      this.giveUp({
        status: 502,
        code: 'not_passed_on',
        message: 'the answer of the upstream could not be forwarded',
      });
    }
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    if (this.closed || this.upstreamOver) abort(leftError);
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void, statusText: string): boolean {
    if (status < 200) return true;
    this.resume = resume;
    this.onHead(answerHead(status, statusText, raw));
    return true;
  }

  onData(chunk: Buffer): boolean {
    return this.answer.write(chunk, this.resume);
  }

  onComplete(trailers: string[] | null): void {
    this.upstreamOver = true;
    if (trailers !== null && trailers.length > 0) this.#trailers = answerTrailers(trailers);
    this.guarded(() => this.onUpstreamEnd());
  }

  onError(error: Error): void {
    if (this.upstreamOver) return;
    this.upstreamOver = true;
    this.guarded(() => this.onBroken(error));
  }

  protected onHead(head: AnswerHead): void {
    this.passHead(head, head.status >= 400 ? notVerified('error') : this.outcome);
  }

  protected onUpstreamEnd(): void {
    this.endAsIs();
  }

  /** Ends an unchanged upstream answer, with its trailers. */
  protected endAsIs(): void {
    if (this.#trailers.length > 0) this.answer.response.addTrailers(this.#trailers);
    this.answer.end();
  }

  /** The upstream failed or broke off. */
  protected onBroken(error: Error): void {
    if (this.answer.hasHead) this.answer.cut();
    else this.refuseFor(error);
  }

  /** Records the call once the client's connection is closed. */
  protected onClosed(): void {
    this.deps.recorder.count(this.route, this.outcome);
  }

  protected refuseFor(error: unknown): void {
    const { kind, message } = problemOf(error);
    this.outcome = notVerified('error');
    this.deps.log.warn(
      {
        route: this.route.name,
        kind,
        reason: error instanceof Error ? error.message : String(error),
      },
      'upstream failed',
    );
    if (kind === 'request')
      refuse(this.answer, this.dialect, { status: 400, code: 'invalid_request', message });
    else if (kind === 'timeout')
      refuse(this.answer, this.dialect, { status: 504, code: 'upstream_timeout', message });
    else refuse(this.answer, this.dialect, { status: 502, code: 'upstream_unreachable', message });
  }

  /** Forwards the upstream's head with the verification headers. */
  protected passHead(head: AnswerHead, outcome: VerificationHeaders | null): void {
    if (outcome !== null) {
      this.outcome = outcome;
      setVerificationHeaders(head.headers, outcome);
    }
    this.answer.head(head);
    // A stream's head may arrive long before its first event.
    if (streamTypes.some((type) => head.contentType.startsWith(type))) this.answer.flushHead();
  }
}

const streamTypes = ['text/event-stream', 'application/x-ndjson'];

/** The form of an answer; a stream of another API's form is one body. */
export function answerFormOf({ contentType }: AnswerHead, dialect: GatewayDialect): AnswerForm {
  const { streamForm } = dialectOf(dialect);
  const type = streamForm === 'ndjson' ? 'application/x-ndjson' : 'text/event-stream';
  return contentType.startsWith(type) ? streamForm : 'json';
}

const leftError = new Error('the client disconnected');
const ignore = (): void => undefined;
