import { CAPTURE_BYTES_MAX } from './captured';

/** Keeps the first bytes of an answer without copying the chunks (performance.md 5, item 2). */
export class Capture {
  readonly chunks: Buffer[] = [];
  truncated = false;
  #bytes = 0;
  readonly #bytesMax: number;

  constructor(bytesMax: number = CAPTURE_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the rest of the chunk, which is not kept. */
  add(chunk: Buffer): Buffer {
    if (this.truncated) return chunk;
    const room = this.#bytesMax - this.#bytes;
    if (chunk.length <= room) {
      this.chunks.push(chunk);
      this.#bytes += chunk.length;
      return NOTHING;
    }
    this.truncated = true;
    // Copy, or the whole chunk would stay in memory.
    if (room > 0) this.chunks.push(Buffer.from(chunk.subarray(0, room)));
    this.#bytes = this.#bytesMax;
    return chunk.subarray(room);
  }
}

const NOTHING = Buffer.alloc(0);
const HEAD_BYTES = 65_536;
const TAIL_BYTES = 4096;

/** Keeps both ends of embeddings: the model and the tokens are before or after the vectors. */
export class EndsCapture {
  readonly #head = new Capture(HEAD_BYTES);
  #tail = NOTHING;
  /** The record does not use the dropped bytes in between. */
  readonly truncated = false;

  add(chunk: Buffer): void {
    const rest = this.#head.add(chunk).subarray(-TAIL_BYTES);
    if (rest.length > 0) this.#tail = Buffer.concat([this.#tail, rest]).subarray(-TAIL_BYTES);
  }

  get chunks(): readonly Buffer[] {
    return this.#tail.length === 0 ? this.#head.chunks : [...this.#head.chunks, this.#tail];
  }
}
