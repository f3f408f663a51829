import { hasByteOrderMark, JsonView } from './json-view';

/**
 * Server-sent events as models' APIs send them
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html): lines end in LF, CRLF or CR,
 * `data` lines of one event belong together, a blank line ends it, lines that begin with a colon
 * are comments. Kinder than the standard where real upstreams are careless: an event ends with its
 * line once that line is a whole JSON object, so neither a missing blank line nor a missing end of
 * the last line loses one.
 */
export interface SseEvent {
  /** The JSON object that the event bears; null: it is `[DONE]`. */
  readonly json: JsonView | null;
  /**
   * What `json` was read from: its data lines, put together with LF. Positions in `json` are
   * positions in it.
   */
  readonly data: Buffer;
  /** Bytes of the stream before the event's first line, comments apart. */
  readonly start: number;
  /** Bytes before its first data, behind its last, and behind that line's end. */
  readonly dataStart: number;
  readonly dataEnd: number;
  readonly end: number;
}

type DataLine = Omit<SseEvent, 'json'>;

const LF = 0x0a;
const CR = 0x0d;
const NOTHING = Buffer.alloc(0);

/**
 * Takes a stream in whatever chunks, and gives each event that is `[DONE]` or a JSON object. Each
 * byte is looked at a bounded number of times.
 */
export class SseEvents {
  /** The line that is not yet whole. */
  #parts: Buffer[] = [];
  #partBytes = 0;
  #lineStart = 0;
  /** First line of the event that is coming; null: none of its lines is there yet. */
  #eventStart: number | null = null;
  /** Data lines that are no JSON each by themselves. */
  #waiting: DataLine[] = [];
  #afterCr = false;
  /** The line's beginning was already taken as an event: `finish` came before its end. */
  #taken = false;

  constructor(private readonly onEvent: (event: SseEvent) => void) {}

  /** Bytes of the event that is coming. */
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

  /** Takes what stands without its end, where it is whole. May be called at any time. */
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
    } else this.#taken = this.#tell(data);
  }

  #takeLine(rest: Buffer, ending: number): void {
    const line = this.#parts.length === 0 ? rest : Buffer.concat([...this.#parts, rest]);
    const length = line.length;
    if (this.#taken) this.#taken = false;
    else if (length === 0) {
      this.#settleWaiting(true);
      this.#eventStart = null;
    } else {
      const data = this.#dataOf(line, ending);
      if (data !== null && (this.#waiting.length > 0 || !this.#tell(data)))
        this.#waiting.push(data);
    }
    this.#parts = [];
    this.#partBytes = 0;
    this.#lineStart += length + ending;
  }

  /** The line's data; null: it is a comment or another field. */
  #dataOf(whole: Buffer, ending: number): DataLine | null {
    const marked = this.#lineStart === 0 && hasByteOrderMark(whole) ? 3 : 0;
    const line = marked === 0 ? whole : whole.subarray(marked);
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
   * Several data lines are one JSON object; where they are not, each by itself may be one. True:
   * they are settled.
   */
  #settleWaiting(ended: boolean): boolean {
    const lines = this.#waiting;
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return true;
    const joined = Buffer.concat(
      lines.flatMap((line, i) => (i === 0 ? [line.data] : [NEW_LINE, line.data])),
    );
    const whole = this.#tell({
      ...last,
      data: joined,
      start: first.start,
      dataStart: first.dataStart,
    });
    if (!whole && !ended) return false;
    this.#waiting = [];
    if (!whole && lines.length > 1)
      for (const [i, line] of lines.entries())
        this.#tell({ ...line, start: lines[i - 1]?.end ?? line.start });
    return true;
  }

  #tell(line: DataLine): boolean {
    const json = readData(line.data);
    if (json === undefined) return false;
    this.#eventStart = null;
    this.onEvent({ json, ...line });
    return true;
  }
}

const NEW_LINE = Buffer.from('\n');

/** Undefined: neither `[DONE]` nor a JSON object. */
function readData(data: Buffer): JsonView | null | undefined {
  if (data.length < 32 && data.toString('latin1').trim() === '[DONE]') return null;
  const json = JsonView.parse(data);
  return json?.isObject === true ? json : undefined;
}

/** All events of a whole stream. */
export function readEvents(stream: Buffer): SseEvent[] {
  const events: SseEvent[] = [];
  const reader = new SseEvents((event) => events.push(event));
  reader.push(stream);
  reader.finish();
  return events;
}

/** What becomes of one event when a stream is rewritten: other JSON, or nothing. */
export interface EventChange {
  readonly event: SseEvent;
  readonly json: Buffer | null;
}

/**
 * The stream with these events changed and every other byte as it was. Changes come in the order of
 * the stream.
 */
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

/** JSON of several lines needs a `data` before each. */
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

/** The stream up to the end of its last whole event, which is ended by a blank line. */
export function withoutCutEvent(stream: Buffer): Buffer {
  const last = readEvents(stream).at(-1);
  if (last === undefined) return Buffer.alloc(0);
  const end = behindBlankLine(stream, last.end);
  const kept = stream.subarray(0, end);
  if (end > last.end) return kept;
  return Buffer.concat([kept, Buffer.from(last.end > last.dataEnd ? '\n' : '\n\n')]);
}
