import { CAPTURE_BYTES_MAX } from './captured';

/**
 * Keeps the first bytes of an answer: the chunks themselves, not copies of them (performance.md 5,
 * item 2).
 */
export class Capture {
  readonly chunks: Buffer[] = [];
  truncated = false;
  #bytes = 0;

  add(chunk: Buffer): void {
    if (this.truncated) return;
    const room = CAPTURE_BYTES_MAX - this.#bytes;
    if (chunk.length <= room) {
      this.chunks.push(chunk);
      this.#bytes += chunk.length;
      return;
    }
    this.truncated = true;
    // A copy: the rest of the chunk would be kept with its beginning.
    if (room > 0) this.chunks.push(Buffer.from(chunk.subarray(0, room)));
    this.#bytes = CAPTURE_BYTES_MAX;
  }
}
