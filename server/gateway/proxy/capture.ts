import { CAPTURE_BYTES_MAX } from './captured';

/** Keeps the first bytes of an answer without copying the chunks (performance.md 5, item 2). */
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
    // Copy, or the whole chunk would stay in memory.
    if (room > 0) this.chunks.push(Buffer.from(chunk.subarray(0, room)));
    this.#bytes = CAPTURE_BYTES_MAX;
  }
}
