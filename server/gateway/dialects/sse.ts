import { hasByteOrderMark, JsonView } from './json-view';

/**
 * Server-sent events of model APIs
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html): lines end in LF, CRLF or CR,
 * `data` lines of one event belong together, a blank line ends it, lines with a leading colon are
 * comments. More lenient than the standard: an event also ends with a line that completes a JSON
 * object, so no event is lost if the last blank line or line end is missing.
 */
export interface SseEvent {
  /** The event's JSON object; null for `[DONE]`. */
  readonly json: JsonView | null;
  /** The source of `json`: the data lines, joined with LF. Offsets in `json` refer to it. */
  readonly data: Buffer;
  /** Offset of the event's first line, not counting comments. */
  readonly start: number;
  /** Offsets of its first data, of the end of its last data, and of the end of that line. */
  readonly dataStart: number;
  readonly dataEnd: number;
  readonly end: number;
}

type DataLine = Omit<SseEvent, 'json'>;

const LF = 0x0a;
const CR = 0x0d;
const NOTHING = Buffer.alloc(0);

/**
 * Parses a stream independently of chunk boundaries and emits each event that is `[DONE]` or a JSON
 * object. Reads each byte a bounded number of times.
 */
export class SseEvents {
  /** The incomplete line. */
  #parts: Buffer[] = [];
  #partBytes = 0;
  #lineStart = 0;
  /** First line of the incomplete event; null if there is no line yet. */
  #eventStart: number | null = null;
  /** Data lines that are not JSON by themselves. */
  #waiting: DataLine[] = [];
  #afterCr = false;
  /** The beginning of the line was already emitted by `finish`. */
  #taken = false;

  constructor(private readonly onEvent: (event: SseEvent) => void) {}

  /** Bytes of the incomplete event. */
  get openBytes(): number {
    const [first, last] = [this.#waiting[0], this.#waiting.at(-1)];
    return (
      this.#partBytes +
      (first === undefined || last === undefined ? 0 : last.dataEnd - first.dataStart)
    );
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    let at = 0;
    if (this.#afterCr && chunk[0] === LF) {
      at = 1;
      this.#lineStart++;
    }
    this.#afterCr = false;
    let lf = chunk.indexOf(LF, at);
    let cr = chunk.indexOf(CR, at);
    while (lf !== -1 || cr !== -1) {
      const byCr = cr !== -1 && (lf === -1 || cr < lf);
      const lineEnd = byCr ? cr : lf;
      let next = lineEnd + 1;
      if (byCr && next === chunk.length) this.#afterCr = true;
      else if (byCr && chunk[next] === LF) next++;
      this.#takeLine(lineEnd === at ? NOTHING : chunk.subarray(at, lineEnd), next - lineEnd);
      at = next;
      if (lf !== -1 && lf < at) lf = chunk.indexOf(LF, at);
      if (cr !== -1 && cr < at) cr = chunk.indexOf(CR, at);
    }
    if (at < chunk.length) {
      this.#parts.push(chunk.subarray(at));
      this.#partBytes += chunk.length - at;
    }
  }

  /** Emits a last event that is complete except for its line end. May be called at any time. */
  finish(): void {
    if (this.#partBytes === 0 || this.#taken) {
      this.#settleWaiting(false);
      return;
    }
    const line = Buffer.concat(this.#parts);
    this.#parts = [line];
    const last = line.at(-1);
    if (last !== 0x7d && last !== 0x5d) return;
    const data = this.#dataOf(line, 0);
    if (data === null) return;
    if (this.#waiting.length > 0) {
      this.#waiting.push(data);
      this.#taken = this.#settleWaiting(false);
      if (!this.#taken) this.#waiting.pop();
    } else this.#taken = this.#emit(data);
  }

  #takeLine(lineEnd: Buffer, ending: number): void {
    const line = this.#parts.length === 0 ? lineEnd : Buffer.concat([...this.#parts, lineEnd]);
    const length = line.length;
    if (this.#taken) this.#taken = false;
    else if (length === 0) {
      this.#settleWaiting(true);
      this.#eventStart = null;
    } else {
      const data = this.#dataOf(line, ending);
      if (data !== null && (this.#waiting.length > 0 || !this.#emit(data)))
        this.#waiting.push(data);
    }
    this.#parts = [];
    this.#partBytes = 0;
    this.#lineStart += length + ending;
  }

  /** The line's data; null for a comment or another field. */
  #dataOf(fullLine: Buffer, ending: number): DataLine | null {
    const marked = this.#lineStart === 0 && hasByteOrderMark(fullLine) ? 3 : 0;
    const line = marked === 0 ? fullLine : fullLine.subarray(marked);
    const lineStart = this.#lineStart + marked;
    if (line[0] === 0x3a) return null;
    this.#eventStart ??= lineStart;
    if (line.toString('latin1', 0, 5) !== 'data:') return null;
    const skip = line[5] === 0x20 ? 6 : 5;
    const dataEnd = lineStart + line.length;
    const data = line.subarray(skip);
    return {
      data,
      start: this.#eventStart,
      dataStart: lineStart + Math.min(skip, line.length),
      dataEnd,
      end: dataEnd + ending,
    };
  }

  /**
   * Several data lines form one JSON object or, failing that, one each. True if all were emitted.
   */
  #settleWaiting(ended: boolean): boolean {
    const lines = this.#waiting;
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return true;
    const joined = Buffer.concat(
      lines.flatMap((line, i) => (i === 0 ? [line.data] : [NEW_LINE, line.data])),
    );
    const isJoined = this.#emit({
      ...last,
      data: joined,
      start: first.start,
      dataStart: first.dataStart,
    });
    if (!isJoined && !ended) return false;
    this.#waiting = [];
    if (!isJoined && lines.length > 1)
      for (const [i, line] of lines.entries())
        this.#emit({ ...line, start: lines[i - 1]?.end ?? line.start });
    return true;
  }

  #emit(line: DataLine): boolean {
    const json = readData(line.data);
    if (json === undefined) return false;
    this.#eventStart = null;
    this.onEvent({ json, ...line });
    return true;
  }
}

const NEW_LINE = Buffer.from('\n');

/** Undefined if neither `[DONE]` nor a JSON object. */
function readData(data: Buffer): JsonView | null | undefined {
  if (data.length < 32 && data.toString('latin1').trim() === '[DONE]') return null;
  const json = JsonView.parse(data);
  return json?.isObject === true ? json : undefined;
}

/** All events of a complete stream. */
export function readEvents(stream: Buffer): SseEvent[] {
  const events: SseEvent[] = [];
  const reader = new SseEvents((event) => events.push(event));
  reader.push(stream);
  reader.finish();
  return events;
}

/** The change to one event of a rewritten stream: its new JSON; null if the event is dropped. */
export interface EventChange {
  readonly event: SseEvent;
  readonly json: Buffer | null;
}

/** Applies changes, given in stream order; all other bytes stay unchanged. */
export function changeEvents(stream: Buffer, changes: readonly EventChange[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { event, json } of changes) {
    if (json === null) parts.push(stream.subarray(at, event.start));
    else parts.push(stream.subarray(at, event.dataStart), asDataLines(json));
    at = json === null ? behindBlankLine(stream, event.end) : event.dataEnd;
  }
  parts.push(stream.subarray(at));
  return Buffer.concat(parts);
}

/** Each line of the JSON needs its own `data`. */
function asDataLines(json: Buffer): Buffer {
  return json.includes(LF)
    ? Buffer.from(json.toString('latin1').replaceAll('\n', '\ndata: '), 'latin1')
    : json;
}

function behindBlankLine(stream: Buffer, at: number): number {
  if (stream[at] === LF) return at + 1;
  if (stream[at] !== CR) return at;
  return stream[at + 1] === LF ? at + 2 : at + 1;
}

/** The stream up to its last complete event, terminated by a blank line. */
export function withoutCutEvent(stream: Buffer): Buffer {
  const last = readEvents(stream).at(-1);
  if (last === undefined) return Buffer.alloc(0);
  const end = behindBlankLine(stream, last.end);
  const complete = stream.subarray(0, end);
  if (end > last.end) return complete;
  return Buffer.concat([complete, Buffer.from(last.end > last.dataEnd ? '\n' : '\n\n')]);
}
