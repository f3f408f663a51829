import { maskJson, maskString } from './mask-json';
import type { Masker } from './masker';
import { followPaths, startPaths } from './paths';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/**
 * Masks the rows of a file: lines of JSON, or CSV (RFC 4180) with a header and this delimiter. The
 * paths begin at each row; a cell is the member of its column's name. The same bytes if nothing is
 * to be masked.
 */
export function maskRows(bytes: Buffer, masker: Masker, delimiter: string | null): Buffer {
  return delimiter === null ? maskLines(bytes, masker) : maskCells(bytes, masker, delimiter);
}

function maskLines(bytes: Buffer, masker: Masker): Buffer {
  const states = startPaths(masker.rules.paths);
  const rewrite = new Rewrite(bytes);
  for (let at = afterMark(bytes); at < bytes.length; ) {
    const stop = bytes.indexOf(LINE_FEED, at);
    const end = stop === -1 ? bytes.length : stop;
    rewrite.replace(at, end, maskJson(bytes.subarray(at, end), { masker, states }));
    at = end + 1;
  }
  return rewrite.end();
}

function maskCells(bytes: Buffer, masker: Masker, delimiter: string): Buffer {
  const separator = delimiter.charCodeAt(0);
  const states = startPaths(masker.rules.paths);
  const rewrite = new Rewrite(bytes);
  const columns: string[] = [];
  let column = 0;
  let isHeader = true;
  for (let at = afterMark(bytes); at < bytes.length; ) {
    const end = cellEnd(bytes, at, separator);
    const cell = bytes.subarray(at, end);
    const isQuoted = cell[0] === QUOTE;
    const text = isQuoted ? unquoted(cell.toString('utf8')) : cell.toString('utf8');
    if (isHeader) columns.push(text.trim());
    const name = isHeader ? '' : (columns[column] ?? '');
    const inside = isHeader ? [] : followPaths(states, name);
    const masked =
      inside === null
        ? masker.valueToken(text)
        : maskString(text, { masker, states: inside }, name);
    if (masked !== text) rewrite.replace(at, end, Buffer.from(isQuoted ? quoted(masked) : masked));
    const next = bytes[end];
    column = next === separator ? column + 1 : 0;
    if (next !== separator) isHeader = false;
    at = end + (next === CARRIAGE_RETURN ? 2 : 1);
  }
  return rewrite.end();
}

/** The offset after a byte order mark, which imports skip. */
const afterMark = (bytes: Buffer): number =>
  bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;

/** The end of a cell: the delimiter, or the end of the line. A quoted cell may contain both. */
function cellEnd(bytes: Buffer, start: number, separator: number): number {
  let at = start;
  if (bytes[at] === QUOTE) {
    for (at++; at < bytes.length; at++) {
      if (bytes[at] !== QUOTE) continue;
      if (bytes[at + 1] !== QUOTE) break;
      at++;
    }
  }
  while (at < bytes.length && bytes[at] !== separator && bytes[at] !== LINE_FEED) {
    if (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) break;
    at++;
  }
  return Math.min(at, bytes.length);
}

const unquoted = (cell: string): string =>
  cell.replace(/^"/, '').replace(/"\s*$/, '').replaceAll('""', '"');
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Copies bytes, except for the parts that are replaced. */
class Rewrite {
  private readonly pieces: Buffer[] = [];
  private copied = 0;

  constructor(private readonly bytes: Buffer) {}

  replace(start: number, end: number, by: Buffer): void {
    if (this.bytes.subarray(start, end).equals(by)) return;
    this.pieces.push(this.bytes.subarray(this.copied, start), by);
    this.copied = end;
  }

  end(): Buffer {
    if (this.copied === 0) return this.bytes;
    return Buffer.concat([...this.pieces, this.bytes.subarray(this.copied)]);
  }
}
