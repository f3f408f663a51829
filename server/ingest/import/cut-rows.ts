/** A row of a file as bytes, without its line end. */
export interface CutRow {
  readonly start: number;
  readonly end: number;
  /** Line breaks from its start to the start of the next row. */
  readonly breaks: number;
}

export interface CutRows {
  readonly rows: readonly CutRow[];
  /** Offset of the first remaining row. */
  readonly next: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

export interface CutOptions {
  readonly limit: number;
  /** The bytes reach the end of the file: the last row needs no line end. */
  readonly isEndOfFile: boolean;
  /** CSV: the byte between two cells; null if a row is a line. */
  readonly delimiter: number | null;
}

/**
 * Splits rows from the start of `bytes`. A quoted cell may contain line breaks; a quote opens a
 * cell only at its start (RFC 4180).
 */
export function cutRows(bytes: Buffer, options: CutOptions): CutRows {
  const rows: CutRow[] = [];
  let at = 0;
  while (rows.length < options.limit && at < bytes.length) {
    const found =
      options.delimiter === null ? lineEnd(bytes, at) : recordEnd(bytes, at, options.delimiter);
    if (found === null && !options.isEndOfFile) break;
    const stop = found?.stop ?? bytes.length;
    const end = stop > at && bytes[stop - 1] === CARRIAGE_RETURN ? stop - 1 : stop;
    rows.push({ start: at, end, breaks: found?.breaks ?? 0 });
    at = stop + 1;
  }
  return { rows, next: Math.min(at, bytes.length) };
}

interface End {
  /** The line feed that ends the row. */
  readonly stop: number;
  readonly breaks: number;
}

function lineEnd(bytes: Buffer, at: number): End | null {
  const stop = bytes.indexOf(LINE_FEED, at);
  return stop === -1 ? null : { stop, breaks: 1 };
}

function recordEnd(bytes: Buffer, start: number, delimiter: number): End | null {
  let breaks = 0;
  let atCell = true;
  let quoted = false;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LINE_FEED) breaks++;
    if (quoted) {
      if (byte !== QUOTE) continue;
      if (bytes[at + 1] === QUOTE) at++;
      else quoted = false;
    } else if (byte === LINE_FEED) {
      return { stop: at, breaks };
    } else if (byte === QUOTE && atCell) {
      quoted = true;
    }
    atCell = byte === delimiter;
  }
  return null;
}
