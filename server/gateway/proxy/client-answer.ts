import type { ServerResponse } from 'node:http';
import type { AnswerHead } from './headers';

/** Bytes that wait for a slow client before the upstream is no longer read. */
const WAITING_BYTES_MAX = 65_536;

const keepAliveComment = Buffer.from(': keep-alive\n\n');

/** The client's end of a call. */
export class ClientAnswer {
  readonly response: ServerResponse;
  #onDrain: (() => void) | null = null;
  #listens = false;

  constructor(response: ServerResponse) {
    this.response = response;
  }

  /**
   * Tells once that nothing more goes to the client: after the answer's last byte, or when its
   * connection ends.
   */
  onceClosed(tell: () => void): void {
    const { response } = this;
    if (response.socket !== null) {
      response.on('close', tell);
      return;
    }
    // A pipelined request waits for its turn: Node tells its response nothing when the connection
    // ends before.
    const { socket } = response.req;
    let verification = false;
    const once = (): void => {
      if (verification) return;
      verification = true;
      socket.removeListener('close', once);
      tell();
    };
    // Any number of them may wait on one connection.
    socket.setMaxListeners(0);
    socket.on('close', once);
    response.on('close', once);
  }

  get hasHead(): boolean {
    return this.response.headersSent;
  }

  /** @throws Error for a header that cannot be written */
  head({ status, statusText, headers }: AnswerHead): void {
    this.response.writeHead(status, statusText, headers);
  }

  /**
   * The head goes out although no byte of the body has come; in one piece with what comes in this
   * turn of the loop.
   */
  flushHead(): void {
    const { socket } = this.response;
    if (socket === null) return;
    socket.cork();
    this.response.flushHeaders();
    process.nextTick(() => socket.uncork());
  }

  /** False: the client is slow; `resume` is called once it has caught up. */
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
   * The upstream broke off: what came is sent, and then the connection breaks, so that no one takes
   * it for the end.
   */
  cut(): void {
    const { socket } = this.response;
    if (socket === null) {
      // Its turn has not come: the connection breaks when it does.
      this.response.destroy();
      return;
    }
    if (socket.destroyed) return;
    // Without chunks or a length, the end of the connection is the end of the body: only a reset
    // tells the difference.
    if (this.response.req.httpVersion === '1.0') socket.resetAndDestroy();
    else socket.destroySoon();
  }
}
