import { connect, type Socket } from 'node:net';

/** The result of one call on the wire. */
export interface WireReply {
  /** 0: the connection broke before the end. */
  readonly status: number;
  readonly head: string;
  /** Bytes of the body, without HTTP framing. */
  readonly bytes: number;
  /** Whether all bytes were as expected, in order; true if no body was expected. */
  readonly same: boolean;
  /** The number of HTTP chunks of the body. */
  readonly chunks: number;
  /** Milliseconds from the first byte sent to the first byte of the body, and to the end. */
  readonly firstMs: number;
  readonly totalMs: number;
  /**
   * The time of each read with body bytes, in milliseconds after the first byte was sent; only if
   * requested.
   */
  readonly arrivals: readonly number[];
  /** The body; only if requested. */
  readonly body: Buffer | null;
}

export interface WireAsk {
  readonly request: Buffer;
  readonly expected?: Buffer | undefined;
  readonly keepsArrivals?: boolean;
  readonly keepsBody?: boolean;
}

export interface Wire {
  send(send: WireAsk): Promise<WireReply>;
  readonly socket: Socket;
  close(): void;
}

type Framing = 'length' | 'chunked' | 'close';

const headEnd = '\r\n\r\n';

/**
 * Reads the answers of one socket as they arrive, without assembling them: compares, counts and
 * records times.
 */
class Reading {
  private head = '';
  private pending: Buffer | null = null;
  private framing: Framing = 'length';
  /** The number of bytes of the body, or of the current chunk, that have not arrived yet. */
  private left = 0;
  private place: 'head' | 'size' | 'data' | 'trailer' = 'head';
  private bytes = 0;
  private chunks = 0;
  private same = true;
  private firstAt = 0;
  private readonly arrivals: number[] = [];
  private readonly parts: Buffer[] = [];
  private readonly began = performance.now();

  constructor(private readonly request: WireAsk) {}

  /** Null if the answer is incomplete. */
  push(data: Buffer): WireReply | null {
    const before = this.bytes;
    const isOver = this.read(this.pending === null ? data : Buffer.concat([this.pending, data]));
    if (this.bytes > before && this.request.keepsArrivals === true)
      this.arrivals.push(performance.now() - this.began);
    return isOver ? this.reply() : null;
  }

  /** Handles the end of the connection, which ends an answer without a length. */
  end(): WireReply {
    return this.place === 'data' && this.framing === 'close'
      ? this.reply()
      : { ...this.reply(), status: 0 };
  }

  private read(all: Buffer): boolean {
    let rest = all;
    this.pending = null;
    for (;;) {
      if (this.place === 'data') {
        const piece = rest.length > this.left ? rest.subarray(0, this.left) : rest;
        this.take(piece);
        this.left -= piece.length;
        rest = rest.subarray(piece.length);
        if (this.left > 0) return false;
        if (this.framing === 'length') return true;
        this.place = 'size';
        continue;
      }
      const mark = this.place === 'head' ? headEnd : '\r\n';
      const at = rest.indexOf(mark);
      if (at === -1) {
        this.pending = rest.length === 0 ? null : rest;
        return false;
      }
      const line = rest.toString('latin1', 0, at);
      rest = rest.subarray(at + mark.length);
      if (this.place === 'head') {
        if (this.readHead(line)) return true;
      } else if (this.place === 'trailer') {
        if (line === '') return true;
      } else if (line !== '') this.readSize(line);
    }
  }

  /** True if there is no body. */
  private readHead(head: string): boolean {
    this.head = head;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.framing =
      length !== undefined
        ? 'length'
        : /\r\ntransfer-encoding: *chunked/i.test(head)
          ? 'chunked'
          : 'close';
    this.left =
      length !== undefined
        ? Number(length)
        : this.framing === 'close'
          ? Number.POSITIVE_INFINITY
          : 0;
    this.place = this.framing === 'chunked' ? 'size' : 'data';
    return length === '0';
  }

  private readSize(line: string): void {
    this.left = Number.parseInt(line, 16);
    this.place = this.left === 0 ? 'trailer' : 'data';
    if (this.left > 0) this.chunks++;
  }

  private take(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.bytes === 0) this.firstAt = performance.now();
    const { expected, keepsBody } = this.request;
    const end = this.bytes + piece.length;
    if (
      expected !== undefined &&
      (end > expected.length || expected.compare(piece, 0, piece.length, this.bytes, end) !== 0)
    )
      this.same = false;
    this.bytes = end;
    if (keepsBody === true) this.parts.push(piece);
  }

  private reply(): WireReply {
    const { expected, keepsBody } = this.request;
    return {
      status: Number(this.head.slice(9, 12)),
      head: this.head,
      bytes: this.bytes,
      same: this.same && (expected === undefined || expected.length === this.bytes),
      chunks: this.chunks,
      firstMs: this.firstAt - this.began,
      totalMs: performance.now() - this.began,
      arrivals: this.arrivals,
      body: keepsBody === true ? Buffer.concat(this.parts) : null,
    };
  }
}

/** One socket, one request at a time. */
export async function openWire(port: number): Promise<Wire> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) =>
    socket.once('connect', resolve).once('error', reject),
  );
  socket.removeAllListeners('error');
  let reading: Reading | null = null;
  let done: ((reply: WireReply) => void) | null = null;
  let isOver = false;
  const finish = (reply: WireReply): void => {
    const resolve = done;
    reading = null;
    done = null;
    resolve?.(reply);
  };
  socket.on('data', (data) => {
    const reply = reading?.push(data) ?? null;
    if (reply !== null) finish(reply);
  });
  const end = (): void => {
    isOver = true;
    if (reading !== null) finish(reading.end());
  };
  socket.on('error', end).on('close', end);
  return {
    socket,
    send(request) {
      return new Promise((resolve) => {
        reading = new Reading(request);
        done = resolve;
        if (isOver) end();
        else socket.write(request.request);
      });
    },
    close: () => void socket.destroy(),
  };
}
