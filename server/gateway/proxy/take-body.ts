import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Collector } from './collect';
import { BodyGuard } from './body-guard';

/** Limit for the body of a model call; other bodies have none. */
export const MODEL_BODY_BYTES_MAX = 20 * 1024 * 1024;
/** Smaller bodies are collected: one write instead of a stream. */
const SMALL_BYTES = 65_536;

export interface BodyTaker {
  /** The whole body, or a stream of it; null if the request has none. */
  ready(body: Buffer | Readable | null): void;
  /** Each chunk of a streamed body. */
  passing(chunk: Buffer): void;
  tooLarge(): void;
  /** The body must not go upstream; the sentence states the reason. The rest of it is dropped. */
  refused(fault: string): void;
}

/** Delivers a request's body: whole if it is small or `collect` is set, else as a stream. */
export function takeBody(
  incoming: IncomingMessage,
  bytesMax: number,
  collect: boolean,
  taker: BodyTaker,
): void {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  const announced = length === undefined ? (coding === undefined ? 0 : null) : Number(length);
  if (announced === 0) taker.ready(null);
  else if (announced !== null && announced > bytesMax) taker.tooLarge();
  else if (collect || (announced !== null && announced <= SMALL_BYTES))
    collectBody(incoming, bytesMax, announced, taker);
  else taker.ready(new Upload(incoming, bytesMax, taker));
}

function collectBody(
  incoming: IncomingMessage,
  bytesMax: number,
  announced: number | null,
  taker: BodyTaker,
): void {
  const body = new Collector(announced ?? bytesMax);
  const guard = new BodyGuard();
  let over = false;
  const done = (): void => {
    over = true;
    taker.ready(body.toBuffer());
  };
  incoming.on('data', (chunk: Buffer) => {
    if (over) return;
    if (body.bytes + chunk.length > (announced ?? bytesMax)) {
      over = true;
      taker.tooLarge();
      return;
    }
    const seen = guard.push(chunk);
    if (!Buffer.isBuffer(seen)) {
      over = true;
      taker.refused(seen.fault);
      return;
    }
    body.add(chunk);
    // The length shows the last byte; the `end` event comes one tick later.
    if (body.bytes === announced) done();
  });
  if (announced === null) {
    incoming.on('end', () => {
      if (!over) done();
    });
  }
}

/**
 * The request's body as a separate stream, so that dropping it does not close the client's
 * connection: an upstream may answer before it has read the whole body.
 */
class Upload extends Readable {
  #bytes = 0;
  #dropped = false;
  readonly #guard = new BodyGuard();
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage, bytesMax: number, taker: BodyTaker) {
    super({ highWaterMark: 4 * SMALL_BYTES });
    this.#incoming = incoming;
    incoming.on('data', (chunk: Buffer) => {
      if (this.#dropped) return;
      this.#bytes += chunk.length;
      if (this.#bytes > bytesMax) {
        this.#dropped = true;
        taker.tooLarge();
        return;
      }
      const safe = this.#guard.push(chunk);
      if (!Buffer.isBuffer(safe)) {
        this.#dropped = true;
        taker.refused(safe.fault);
        return;
      }
      if (safe.length === 0) return;
      taker.passing(safe);
      if (!this.push(safe)) incoming.pause();
    });
    incoming.on('end', () => {
      if (this.#dropped) return;
      const lastBytes = this.#guard.end();
      if (lastBytes !== null) {
        taker.passing(lastBytes);
        this.push(lastBytes);
      }
      this.push(null);
    });
  }

  override _read(): void {
    this.#incoming.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#dropped = true;
    this.#incoming.resume();
    done(error);
  }
}
