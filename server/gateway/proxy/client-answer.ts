import type { ServerResponse } from 'node:http';
import type { AnswerHead } from './headers';

/** Maximum bytes buffered for a slow client before the upstream is paused. */
const WAITING_BYTES_MAX = 65_536;

const keepAliveComment = Buffer.from(': keep-alive\n\n');

/** The client side of a call. */
export class ClientAnswer {
  readonly response: ServerResponse;
  #onDrain: (() => void) | null = null;
  #listens = false;

  constructor(response: ServerResponse) {
    this.response = response;
  }

  /**
   * Calls back once when nothing more can be sent to the client: after the last byte, or when the
   * connection ends.
   */
  onceClosed(onClose: () => void): void {
    const { response } = this;
    if (response.socket !== null) {
      response.on('close', onClose);
      return;
    }
    // A pipelined request waits for its turn, and Node does not notify its response if the
    // connection ends first.
    const { socket } = response.req;
    let called = false;
    const notifyOnce = (): void => {
      if (called) return;
      called = true;
      socket.removeListener('close', notifyOnce);
      onClose();
    };
    // Any number of requests may be pipelined on one connection.
    socket.setMaxListeners(0);
    socket.on('close', notifyOnce);
    response.on('close', notifyOnce);
  }

  get hasHead(): boolean {
    return this.response.headersSent;
  }

  /** @throws Error for a header that cannot be written */
  head({ status, statusText, headers }: AnswerHead): void {
    this.response.writeHead(status, statusText, headers);
  }

  /** Sends the head before the body, in one packet with anything written in this tick. */
  flushHead(): void {
    const { socket } = this.response;
    if (socket === null) return;
    socket.cork();
    this.response.flushHeaders();
    process.nextTick(() => socket.uncork());
  }

  /** False if the client is slow; `resume` is called once it has caught up. */
  write(chunk: Buffer, resume: () => void): boolean {
    const { response } = this;
    if (response.write(chunk) || response.writableLength <= WAITING_BYTES_MAX) return true;
    this.#onDrain = resume;
    if (!this.#listens) {
      this.#listens = true;
      response.on('drain', () => {
        const go = this.#onDrain;
        this.#onDrain = null;
        go?.();
      });
    }
    return false;
  }

  keepAlive(): void {
    this.response.write(keepAliveComment);
  }

  end(last: Buffer | null = null): void {
    if (last === null) this.response.end();
    else this.response.end(last);
  }

  /**
   * The upstream broke off: sends the received part, then breaks the connection, so that the answer
   * does not appear complete.
   */
  cut(): void {
    const { socket } = this.response;
    if (socket === null) {
      // The response is not yet first in the pipeline: the connection is closed once it is.
      this.response.destroy();
      return;
    }
    if (socket.destroyed) return;
    // Without chunks or a length the end of the connection is the end of the body, so only a reset
    // shows the difference.
    if (this.response.req.httpVersion === '1.0') socket.resetAndDestroy();
    else socket.destroySoon();
  }
}
