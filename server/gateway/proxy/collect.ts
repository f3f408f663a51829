import { type SharedBytes, share } from '../thread';

/**
 * Larger bodies are assembled as they arrive: copying 20 MiB at the end would block the event loop
 * for a tenth of a second.
 */
const SMALL_BYTES = 65_536;

/**
 * Assembles a body as it arrives, large ones in shared memory. Memory is allocated only for
 * received bytes, regardless of `bytesMax`.
 */
export class Collector {
  bytes = 0;
  #chunks: Buffer[] = [];
  #shared: SharedBytes | null = null;
  readonly #bytesMax: number;

  /** `bytesMax`: the announced length, or an upper limit. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** @throws RangeError beyond `bytesMax` */
  add(chunk: Buffer): void {
    if (this.#shared === null && this.bytes + chunk.length <= SMALL_BYTES) this.#chunks.push(chunk);
    else {
      this.#shared ??= this.#begin();
      this.#shared.set(chunk, this.bytes);
    }
    this.bytes += chunk.length;
  }

  #begin(): SharedBytes {
    const shared = new Uint8Array(new SharedArrayBuffer(this.#bytesMax));
    shared.set(share(this.#chunks));
    this.#chunks = [];
    return shared;
  }

  /** The bytes so far; a large body is not copied. */
  toBuffer(): Buffer {
    if (this.#shared !== null) return Buffer.from(this.#shared.buffer, 0, this.bytes);
    const [first, ...more] = this.#chunks;
    if (first !== undefined && more.length === 0) return first;
    const whole = Buffer.concat(this.#chunks, this.bytes);
    this.#chunks = [whole];
    return whole;
  }
}
