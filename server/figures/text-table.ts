import { findCells } from './delimited';

/**
 * A value's position in the text. `line` counts records; `column` is -1 for a heading that names
 * its line.
 */
export interface TextCell {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
}

/** The tables of one text, their columns numbered consecutively. */
export interface TextTable {
  /** Names of the columns, '' for one without a name. */
  readonly header: readonly string[];
  /** In order, without heads, comments and blank lines. */
  readonly cells: readonly TextCell[];
  readonly lines: number;
}

const NAME_LENGTH_MAX = 80;
/** Tables are not read in longer texts. */
const LINES_MAX = 100_000;
const COLUMNS_MAX = 256;
const RULE = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/u;
const PAIR = /^(\s*(?:[-*•]\s+)?\**)(\p{L}[^:|\n]{0,60}?)\**\s?:\**[ \t]+(?=\S)/u;
const HEADING = /^\s*(?:#{1,6}\s+(.{1,60})|\**([^:|\n]{1,60}?)\**:\**|\*\*(.{1,60})\*\*)\s*$/u;
const GAP = /\t| {2,}/gu;
/**
 * Rows that make aligned text a table, including the head, and pairs that make a single block one.
 */
const ALIGNED_ROWS = 3;
/**
 * A field of a log: `rows=187455`, `msg="batch done"`. Then the minimum number of fields per
 * record, and the maximum number of lines between records.
 */
const FIELD = /(?<![^\s,;[{(])([A-Za-z][\w.-]{0,40})=("[^"\n]{0,200}"|[^\s,;\]})]+)/gu;
const FIELDS_MIN = 2;
const LOG_GAP = 20;
const PAIRS_ALONE = 3;

interface Line {
  readonly from: number;
  readonly to: number;
}

/**
 * Comma-separated text, Markdown tables, text aligned by tabs or blanks, and blocks of `key: value`
 * lines as one table; null if the text has none of them. Linear in its length.
 */
export function readTextTable(text: string): TextTable | null {
  const regions = findCells(text);
  const builder = new Builder(text);
  if (regions !== null) builder.delimited(regions);
  else if (/[|:\t=]| {2}/u.test(text)) builder.scan(linesOf(text));
  return builder.table();
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let from = 0; from <= text.length && lines.length < LINES_MAX; ) {
    const newline = text.indexOf('\n', from);
    const to = newline === -1 ? text.length : newline;
    lines.push({ from, to: text[to - 1] === '\r' && to > from ? to - 1 : to });
    from = to + 1;
  }
  return lines;
}

class Builder {
  private readonly header: string[] = [];
  private readonly cells: TextCell[] = [];
  private readonly byKey = new Map<string, number>();
  private lines = 0;

  constructor(private readonly text: string) {}

  table(): TextTable | null {
    return this.cells.length === 0
      ? null
      : { header: this.header, cells: this.cells, lines: this.lines };
  }

  /** Cells of comma-separated text; a first row of words names the columns. */
  delimited(regions: readonly Line[]): void {
    let row: Line[] = [];
    let first = true;
    let begins = true;
    for (const region of regions) {
      const ends = region.to >= this.text.length || this.text[region.to] === '\n';
      // Blank lines and comments are one cell, unlike rows of a table.
      if (!(begins && ends)) row.push(region);
      if (ends && row.length > 0) {
        this.row(row, first, first && this.isHead(row));
        first = false;
        row = [];
      }
      begins = ends;
    }
  }

  scan(lines: readonly Line[]): void {
    for (let at = 0; at < lines.length; ) {
      const next =
        this.logged(lines, at) ??
        this.bars(lines, at) ??
        this.aligned(lines, at) ??
        this.pairs(lines, at);
      at = next ?? at + 1;
    }
  }

  /** A Markdown table whose head is at a line; the line after it, or null. */
  private bars(lines: readonly Line[], at: number): number | null {
    const rule = this.textOf(lines[at + 1]);
    if (!rule.includes('-') || !this.textOf(lines[at]).includes('|') || !RULE.test(rule))
      return null;
    this.row(this.split(lines[at], /\|/gu), true, true);
    let next = at + 2;
    for (; this.textOf(lines[next]).includes('|'); next++)
      this.row(this.split(lines[next], /\|/gu), false, false);
    return next;
  }

  /** Lines with equal numbers of parts, separated by tabs or several blanks. */
  private aligned(lines: readonly Line[], at: number): number | null {
    const first = this.split(lines[at], GAP);
    if (first.length < 2 || !this.isHead(first)) return null;
    const rows = [first];
    for (let next = at + 1; next < lines.length; next++) {
      const row = this.split(lines[next], GAP);
      if (row.length !== first.length) break;
      rows.push(row);
    }
    if (rows.length < ALIGNED_ROWS || !/\d/u.test(this.textOf(lines[at + 1]))) return null;
    for (const [i, row] of rows.entries()) this.row(row, i === 0, i === 0);
    return at + rows.length;
  }

  /**
   * A log: lines with several `key=value` pairs are its records, named by the text before the
   * pairs. Lines without pairs belong to no record.
   */
  private logged(lines: readonly Line[], at: number): number | null {
    const first = this.fields(lines[at]);
    if (first.length < FIELDS_MIN) return null;
    const records = [{ line: lines[at], fields: first }];
    let next = at + 1;
    for (let gap = 0; next < lines.length && gap <= LOG_GAP; next++) {
      const fields = this.fields(lines[next]);
      const isRecord =
        fields.length >= FIELDS_MIN &&
        fields.some(({ key }) => first.some((each) => each.key === key));
      gap = isRecord ? 0 : gap + 1;
      if (isRecord) records.push({ line: lines[next], fields });
    }
    if (records.length < 2) return null;
    for (const { line, fields } of records) {
      const opening = { from: line?.from ?? 0, to: (fields[0]?.from ?? 0) - 1 };
      const number = this.lines++;
      for (const match of this.textOf(opening).matchAll(/[^\s[\](){}|,;"']+/gu)) {
        const from = opening.from + match.index;
        const isTime = /^\d/u.test(match[0]);
        if (fields.some(({ key }) => match[0] === key)) continue;
        const column = isTime ? this.columnOf('time') : -1;
        this.cells.push({ from, to: from + match[0].length, line: number, column });
      }
      for (const { key, from, to } of fields)
        this.cells.push({ from, to, line: number, column: this.columnOf(key) });
    }
    return next;
  }

  private fields(line: Line | undefined): readonly Pair[] {
    if (line === undefined || !this.textOf(line).includes('=')) return [];
    return [...this.textOf(line).matchAll(FIELD)].map((match) => {
      const to = line.from + match.index + match[0].length;
      return { key: match[1] ?? '', from: to - (match[2] ?? '').length, to };
    });
  }

  /** Blocks of `key: value` lines that begin with the same key, or one block of several numbers. */
  private pairs(lines: readonly Line[], at: number): number | null {
    let next = at;
    const records: Pair[][] = [];
    const heads: (Line | null)[] = [];
    let record: Pair[] = [];
    let head = at > 0 ? this.heading(lines[at - 1]) : null;
    const close = (): void => {
      if (record.length > 0) {
        records.push(record);
        heads.push(head);
        head = null;
      }
      record = [];
    };
    for (; next < lines.length; next++) {
      const line = lines[next];
      const pair = this.pair(line);
      if (pair !== null) {
        if (record.some(({ key }) => key === pair.key)) close();
        record.push(pair);
        continue;
      }
      close();
      if (this.textOf(line).trim() === '') continue;
      head = this.heading(line);
      if (head === null || this.pair(lines[next + 1]) === null) break;
    }
    close();
    if (records.length === 0) return null;
    const opening = records[0]?.[0]?.key;
    const alike =
      records.every((each) => each[0]?.key === opening && each.length > 1) && records.length > 1;
    const alone =
      records.length === 1 &&
      (records[0]?.filter((pair) => this.isNumber(pair)).length ?? 0) >= PAIRS_ALONE;
    if (alike || alone)
      for (const [i, each] of records.entries()) this.record(each, heads[i] ?? null);
    return next;
  }

  private record(pairs: readonly Pair[], head: Line | null): void {
    const line = this.lines++;
    if (head !== null) this.cells.push({ ...head, line, column: -1 });
    for (const { key, from, to } of pairs) {
      const column = this.columnOf(key);
      if (column !== -1) this.cells.push({ from, to, line, column });
    }
  }

  /** The column of a key, created if it is new; -1 if there are too many. */
  private columnOf(key: string): number {
    let column = this.byKey.get(key);
    if (column === undefined) {
      if (this.header.length >= COLUMNS_MAX) return -1;
      column = this.header.length;
      this.byKey.set(key, column);
      this.header.push(key);
    }
    return column;
  }

  private pair(line: Line | undefined): Pair | null {
    if (line === undefined) return null;
    const text = this.textOf(line);
    const match = text.includes(':') ? PAIR.exec(text.slice(0, NAME_LENGTH_MAX)) : null;
    return match === null
      ? null
      : { key: match[2] ?? '', from: line.from + match[0].length, to: line.to };
  }

  private heading(line: Line | undefined): Line | null {
    if (line === undefined || line.to - line.from > NAME_LENGTH_MAX) return null;
    const match = HEADING.exec(this.textOf(line));
    const name = match?.[1] ?? match?.[2] ?? match?.[3];
    if (name === undefined) return null;
    const from = line.from + this.textOf(line).indexOf(name);
    return { from, to: from + name.length };
  }

  private isNumber({ from, to }: Pair): boolean {
    return /^\s*[-+−]?[$€£¥]?\d[\d.,]*\s?\S{0,12}\s*$/u.test(
      this.text.slice(from, Math.min(to, from + NAME_LENGTH_MAX)),
    );
  }

  private row(cells: readonly Line[], opens: boolean, isHead: boolean): void {
    if (opens) {
      this.base = this.header.length;
      for (const { from, to } of cells)
        this.header.push(
          isHead ? unquoted(this.text.slice(from, Math.min(to, from + NAME_LENGTH_MAX))) : '',
        );
    }
    if (isHead) return;
    const line = this.lines++;
    for (const [i, { from, to }] of cells.entries()) {
      if (this.base + i >= this.header.length) this.header.push('');
      this.cells.push({ from, to, line, column: this.base + i });
    }
  }

  private base = 0;

  private isHead(cells: readonly Line[]): boolean {
    return cells.every(({ from, to }) => {
      const cell = unquoted(this.text.slice(from, Math.min(to, from + NAME_LENGTH_MAX)));
      return cell === '' || /^\D*\p{L}/u.test(cell);
    });
  }

  /** The parts of a line between separators, without surrounding blanks. */
  private split(line: Line | undefined, separator: RegExp): readonly Line[] {
    if (line === undefined) return [];
    const text = this.textOf(line);
    const parts: Line[] = [];
    let from = 0;
    const add = (to: number, edge: boolean): void => {
      const part = text.slice(from, to);
      const trimmed = part.trim();
      if (trimmed === '' && edge) return;
      const begin = line.from + from + (trimmed === '' ? 0 : part.length - part.trimStart().length);
      parts.push({ from: begin, to: begin + trimmed.length });
    };
    for (const match of text.matchAll(separator)) {
      add(match.index, from === 0);
      from = match.index + match[0].length;
    }
    add(text.length, true);
    return parts;
  }

  private textOf(line: Line | undefined): string {
    return line === undefined ? '' : this.text.slice(line.from, line.to);
  }
}

interface Pair extends Line {
  readonly key: string;
}

function unquoted(cell: string): string {
  return cell.trim().replaceAll(/["*`]/gu, '').trim();
}
