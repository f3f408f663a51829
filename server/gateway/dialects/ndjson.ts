import { JsonView } from './json-view';
import type { SseEvent } from './sse';

/**
 * Streams of JSON objects, one per line (https://github.com/ndjson/ndjson-spec). A line has the
 * offsets of an event of a stream, whose data it is.
 */
export class JsonLines {
  /** The incomplete line. */
  #parts: Buffer[] = [];
  #partBytes = 0;
  #lineStart = 0;
  /** The incomplete line was already emitted by `finish`. */
  #taken = false;

  constructor(private readonly onLine: (line: SseEvent & { readonly json: JsonView }) => void) {}

  /** Bytes of the incomplete line. */
  get openBytes(): number {
    return this.#partBytes;
  }

  push(chunk: Buffer): void {
    let at = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, at)) {
      this.#add(chunk.subarray(at, end));
      if (!this.#taken) this.#emit(1);
      this.#lineStart += this.#partBytes + 1;
      this.#parts = [];
      this.#partBytes = 0;
      this.#taken = false;
      at = end + 1;
    }
    this.#add(chunk.subarray(at));
  }

  /** Emits a last line that is complete except for its line end. May be called at any time. */
  finish(): void {
    if (this.#partBytes > 0 && !this.#taken && this.#parts.at(-1)?.at(-1) === CLOSING)
      this.#taken = this.#emit(0);
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#partBytes += part.length;
  }

  /** False if it is not a JSON object. */
  #emit(ending: number): boolean {
    // JSON.parse is slow to refuse text that is not JSON.
    const begins = this.#parts[0]?.find((byte) => byte > SPACE);
    if (begins !== OPENING && (begins !== undefined || this.#parts.length <= 1)) return false;
    const data = Buffer.concat(this.#parts, this.#partBytes);
    this.#parts = [data];
    const json = JsonView.parse(data);
    if (json?.isObject !== true) return false;
    const start = this.#lineStart;
    const dataEnd = start + data.length;
    this.onLine({ json, data, start, dataStart: start, dataEnd, end: dataEnd + ending });
    return true;
  }
}

const LF = 0x0a;
const SPACE = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** All lines of a complete stream. */
export function readLines(stream: Buffer): (SseEvent & { readonly json: JsonView })[] {
  const lines: (SseEvent & { readonly json: JsonView })[] = [];
  const reader = new JsonLines((line) => lines.push(line));
  reader.push(stream);
  reader.finish();
  return lines;
}

/** The stream up to its last complete line. */
export function withoutCutLine(stream: Buffer): Buffer {
  return stream.subarray(0, readLines(stream).at(-1)?.end ?? 0);
}
