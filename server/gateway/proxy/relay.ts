import type { GatewayDialect } from '../../domain';
import type { GatewayRoute, VerificationHeaders } from '../exchange';
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
  /** The shape of errors. */
  readonly dialect: GatewayDialect;
  /** Called once, when client and upstream are both done with. */
  readonly ended: () => void;
}

/**
 * One call on its way: undici's handler on one side, the client's response on the other. A class
 * and not closures: there is one for each call, and a call is some thirty microseconds.
 */
export class Relay implements UpstreamHandler {
  protected readonly deps: ProxyDeps;
  protected readonly answer: ClientAnswer;
  protected readonly route: GatewayRoute;
  protected readonly dialect: GatewayDialect;
  protected verification: VerificationHeaders = notVerified('disabled');
  /** The client's connection is closed, whether it has its answer or not. */
  protected closed = false;
  /** The upstream has said all, or broken off. */
  protected upstreamOver = false;
  protected resume: () => void = nothing;
  #abort: ((error?: Error) => void) | null = null;
  #trailers: readonly [name: string, value: string][] = [];
  readonly #ended: () => void;

  constructor({ deps, answer, route, dialect, ended }: RelayInput) {
    this.deps = deps;
    this.answer = answer;
    this.route = route;
    this.dialect = dialect;
    this.#ended = ended;
    // A write after the client has left is no error of anyone's; `close` tells of it.
    answer.response.on('error', nothing);
    // Comes once, after the answer's last byte has gone or the client has.
    answer.onceClosed(() => {
      this.closed = true;
      if (!this.upstreamOver) this.abandon();
      try {
        this.onClosed();
      } catch (error) {
        deps.log.error({ err: error, route: route.name }, 'a call could not be told of');
      }
      this.#ended();
    });
  }

  /** Stops the upstream, whatever it is at. */
  protected abandon(): void {
    this.upstreamOver = true;
    this.#abort?.(leftError);
  }

  /**
   * The call ends here: with an error of the gateway's own, or broken off where the answer has
   * begun.
   */
  giveUp(refusal: Refusal): void {
    if (!this.upstreamOver) this.abandon();
    if (this.answer.hasHead) this.answer.cut();
    else {
      this.verification = refusal.verification ?? notVerified('error');
      refuse(this.answer, this.dialect, refusal);
    }
  }

  /**
   * Does what no one would catch an error of: a fault there is one call's, never the process's, and
   * leaves no call open.
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
    this.passHead(head, head.status >= 400 ? notVerified('error') : this.verification);
  }

  protected onUpstreamEnd(): void {
    this.endAsIs();
  }

  /** Ends an answer that is the upstream's own, with the trailers that came behind it. */
  protected endAsIs(): void {
    if (this.#trailers.length > 0) this.answer.response.addTrailers(this.#trailers);
    this.answer.end();
  }

  /** The upstream failed or broke off. */
  protected onBroken(error: Error): void {
    if (this.answer.hasHead) this.answer.cut();
    else this.refuseFor(error);
  }

  /**
   * The client's connection is closed: what is to be told of the call is told now, behind the
   * answer.
   */
  protected onClosed(): void {
    this.deps.recorder.count(this.route, this.verification);
  }

  protected refuseFor(error: unknown): void {
    const { kind, message } = problemOf(error);
    this.verification = notVerified('error');
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

  /** Sends the upstream's head on, with what is told of the answer. */
  protected passHead(head: AnswerHead, verification: VerificationHeaders | null): void {
    if (verification !== null) {
      this.verification = verification;
      setVerificationHeaders(head.headers, verification);
    }
    this.answer.head(head);
    // The head of a stream may come long before its first event.
    if (isEventStream(head)) this.answer.flushHead();
  }
}

export const isEventStream = ({ contentType }: AnswerHead): boolean =>
  contentType.startsWith('text/event-stream');

const leftError = new Error('the client has left');
const nothing = (): void => undefined;
