/**
 * Splits a file of rows into parts that fit into a request, only at row ends and at the same places
 * each time. JSONL: a row ends with its line. CSV (RFC 4180): a line break inside quotes does not
 * end a row, and the header, which is the first row, is repeated before each part.
 */

export interface FilePart {
  /** The header, if there is one, and whole rows, including blank ones. */
  readonly bytes: Buffer;
  /** Excludes the header and blank rows. */
  readonly rows: number;
  /** Line of the file, from 1, on which the part's first row begins (not its header). */
  readonly firstLine: number;
  /** Bytes of the file up to the end of this part, for the progress bar. */
  readonly readBytes: number;
}

export interface CutRow {
  readonly line: number;
  readonly message: string;
}

export interface CutOptions {
  readonly format: 'csv' | 'jsonl';
  /** One character; CSV only. */
  readonly delimiter: string;
  readonly maxPartBytes: number;
  /** A longer row is in no part; it is passed to `onBadRow`. */
  readonly maxRowBytes: number;
  readonly onBadRow: (row: CutRow) => void;
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

interface Row {
  readonly bytes: Buffer;
  readonly line: number;
  readonly endsAt: number;
  /**
   * Blank, or a placeholder for a row that is too long, so that later rows keep their line numbers.
   */
  readonly isBlank: boolean;
}

export async function* cutFile(
  chunks: AsyncIterable<Buffer>,
  options: CutOptions,
): AsyncGenerator<FilePart> {
  let header: Buffer = Buffer.alloc(0);
  let hasHeader = options.format === 'jsonl';
  let rows: Row[] = [];
  let size = 0;
  const part = (): FilePart => ({
    bytes: Buffer.concat([header, ...rows.map((row) => row.bytes)]),
    rows: rows.filter((row) => !row.isBlank).length,
    firstLine: rows[0]?.line ?? 1,
    readBytes: rows.at(-1)?.endsAt ?? 0,
  });
  for await (const row of rowsOf(chunks, options)) {
    if (!hasHeader) {
      if (row.isBlank) continue;
      header = row.bytes;
      hasHeader = true;
      continue;
    }
    if (rows.length > 0 && header.length + size + row.bytes.length > options.maxPartBytes) {
      const full = part();
      if (full.rows > 0) yield full;
      rows = [];
      size = 0;
    }
    rows.push(row);
    size += row.bytes.length;
  }
  const last = part();
  if (last.rows > 0) yield last;
}

/** Rows with their line break. For a row that is too long, only its line breaks are kept. */
async function* rowsOf(chunks: AsyncIterable<Buffer>, options: CutOptions): AsyncGenerator<Row> {
  const findEnd =
    options.format === 'csv' ? createCsvScanner(options.delimiter.charCodeAt(0)) : findLineEnd;
  const isWithin = (bytes: number): boolean => bytes <= options.maxRowBytes;
  let pieces: Buffer[] = [];
  let length = 0;
  let line = 1;
  let lines = 0;
  let passed = 0;
  let isFirst = true;

  const end = (endsAt: number): Row => {
    const isTooLong = !isWithin(length);
    if (isTooLong)
      options.onBadRow({
        line,
        message: `the row has ${length} bytes; at most ${options.maxRowBytes} are allowed`,
      });
    const bytes = isTooLong ? Buffer.alloc(lines, NEWLINE) : Buffer.concat(pieces);
    const row = { bytes, line, endsAt, isBlank: !bytes.some((byte) => byte > 0x20) };
    line += lines;
    pieces = [];
    length = 0;
    lines = 0;
    return row;
  };

  for await (const chunk of chunks) {
    const from = isFirst && chunk.subarray(0, 3).equals(BOM) ? 3 : 0;
    isFirst = false;
    for (let start = from; start < chunk.length; ) {
      const found = findEnd(chunk, start);
      const stop = found === -1 ? chunk.length : found + 1;
      const piece = chunk.subarray(start, stop);
      length += piece.length;
      lines += countLines(piece);
      if (isWithin(length)) pieces.push(piece);
      else pieces = [];
      if (found !== -1) yield end(passed + stop);
      start = stop;
    }
    passed += chunk.length;
  }
  if (length > 0) {
    // The next part's header or row must not continue this one.
    if (isWithin(length) && pieces.at(-1)?.at(-1) !== NEWLINE) pieces.push(Buffer.of(NEWLINE));
    yield end(passed);
  }
}

function findLineEnd(bytes: Buffer, from: number): number {
  return bytes.indexOf(NEWLINE, from);
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

/**
 * Finds row ends, chunk by chunk. A quote opens only at the start of a field, or right after a
 * closing quote (`""` is a quote).
 */
function createCsvScanner(delimiter: number): (bytes: Buffer, from: number) => number {
  let isQuoted = false;
  let mayOpen = true;
  return (bytes, from) => {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (isQuoted) {
        if (byte !== QUOTE) continue;
        isQuoted = false;
        mayOpen = true;
      } else if (byte === NEWLINE) {
        mayOpen = true;
        return at;
      } else if (byte === QUOTE && mayOpen) isQuoted = true;
      else mayOpen = byte === delimiter;
    }
    return -1;
  };
}
