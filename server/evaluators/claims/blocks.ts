import { type TextRange, trimmed } from './sentences';

/** A part of a markdown text that may contain statements. */
export interface Block extends TextRange {
  readonly kind: 'text' | 'item' | 'row' | 'heading';
  /** Columns before it, for items. */
  readonly indent: number;
}

const FENCE =
  /^[ \t]{0,12}(?:>[ \t]{0,3}){0,8}(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})?(`{3,200}|~{3,200})/;
const HEADING = /^[ \t]{0,3}(?:>[ \t]?){0,8}#{1,6}(?:[ \t]|$)/;
const UNDERLINE = /^[ \t]{0,3}(?:={2,200}|-{2,200})[ \t]{0,200}$/;
const RULE =
  /^[ \t]{0,3}(?:(?:\*[ \t]{0,3}){3,100}|(?:_[ \t]{0,3}){3,100}|(?:-[ \t]{0,3}){3,100})$/;
const DIVIDER =
  /^[ \t]{0,12}\|?[ \t]{0,40}:?-{1,200}:?[ \t]{0,40}(?:\|[ \t]{0,40}:?-{1,200}:?[ \t]{0,40}){0,100}\|?[ \t]{0,40}$/;
const ITEM =
  /^([ \t]{0,40})(?:>[ \t]{0,3}){0,8}(?:[-*+•‣]|\(?\d{1,3}[.)]|\(?[a-h]\))[ \t]{1,8}(?:\[[ xX]\][ \t]{1,4})?/;
const QUOTE = /^[ \t]{0,3}(?:>[ \t]?){1,8}/;
const DEFINITION = /^[ \t]{0,3}\[[^\]\n]{1,60}\]:/;
/** Only this many characters of a line are used to classify it. */
const LINE_HEAD = 600;

/**
 * Splits a text into blocks, line by line: code, rules and link definitions are omitted. Linear.
 */
export function blocksOf(text: string): readonly Block[] {
  const reader = new Reader(text);
  for (let from = 0; from <= text.length; ) {
    const found = text.indexOf('\n', from);
    const to = found === -1 ? text.length : found;
    reader.line(from, to);
    from = to + 1;
    // An unclosed fence contains no code: the text after it is parsed like any other text.
    if (from > text.length) from = reader.reopen() ?? from;
  }
  reader.close();
  return reader.blocks;
}

class Reader {
  readonly blocks: Block[] = [];
  private fence: string | null = null;
  private fencedFrom = 0;
  private fencesEnd = Number.POSITIVE_INFINITY;
  private isTable = false;
  private open: {
    kind: 'text' | 'item';
    start: number;
    end: number;
    indent: number;
    lines: number;
  } | null = null;

  constructor(private readonly text: string) {}

  line(from: number, to: number): void {
    const head = this.text.slice(from, Math.min(to, from + LINE_HEAD)).replace(/\r$/, '');
    const mark = from < this.fencesEnd ? FENCE.exec(head)?.[1] : undefined;
    if (this.fence !== null) {
      if (mark?.startsWith(this.fence) === true && head.trim() === mark) this.fence = null;
      return;
    }
    if (mark !== undefined) {
      this.close();
      this.fence = mark;
      this.fencedFrom = to + 1;
    } else if (head.trim() === '' && to - from <= LINE_HEAD) {
      this.close();
      this.isTable = false;
    } else if (!this.structure(head, from, to)) this.words(head, from, to);
  }

  /** Where to resume when the text ended inside a fence; null when it did not. */
  reopen(): number | null {
    if (this.fence === null) return null;
    this.fence = null;
    this.fencesEnd = this.fencedFrom;
    return this.fencedFrom;
  }

  close(): void {
    const block = this.open;
    this.open = null;
    if (block === null) return;
    const stretch = trimmed(this.text, block.start, block.end);
    if (stretch !== null)
      this.blocks.push({
        start: stretch.start,
        end: stretch.end,
        kind: block.kind,
        indent: block.indent,
      });
  }

  /** Headings, rules and tables. */
  private structure(head: string, from: number, to: number): boolean {
    if (HEADING.test(head)) {
      this.close();
      this.push('heading', from + (/#{1,6}[ \t]?/.exec(head)?.[0].length ?? 0), to);
      return true;
    }
    if (head.includes('|') && DIVIDER.test(head)) {
      this.dropLastLine();
      this.isTable = true;
      return true;
    }
    if (this.open?.kind === 'text' && this.open.lines === 1 && UNDERLINE.test(head)) {
      const { start, end } = this.open;
      this.open = null;
      this.push('heading', start, end);
      return true;
    }
    if (RULE.test(head) || DEFINITION.test(head)) {
      this.close();
      // A footnote is a statement; a link definition is not.
      if (head.trimStart().startsWith('[^'))
        this.push('text', from + (DEFINITION.exec(head)?.[0].length ?? 0), to);
      return true;
    }
    if (!head.trimStart().startsWith('|') && !(this.isTable && head.includes('|'))) return false;
    this.close();
    const cells = this.text.slice(from, to);
    const first =
      cells.indexOf('|') === cells.length - cells.trimStart().length ? cells.indexOf('|') + 1 : 0;
    const trimmedEnd = cells.trimEnd();
    this.push(
      'row',
      from + first,
      from + (trimmedEnd.endsWith('|') ? trimmedEnd.length - 1 : trimmedEnd.length),
    );
    return true;
  }

  private words(head: string, from: number, to: number): void {
    this.isTable = false;
    const item = ITEM.exec(head);
    const quote = item === null ? QUOTE.exec(head) : null;
    if (item !== null || quote !== null) this.close();
    const start = from + (item ?? quote ?? [''])[0].length;
    if (this.open !== null) {
      this.open.end = to;
      this.open.lines++;
    } else {
      const indent = item?.[1]?.replaceAll('\t', '    ').length ?? 0;
      this.open = { kind: item === null ? 'text' : 'item', start, end: to, indent, lines: 1 };
    }
    if (quote !== null) this.close();
  }

  /** The line above a divider is the table's header. */
  private dropLastLine(): void {
    if (this.open === null) {
      if (this.blocks.at(-1)?.kind === 'row') this.blocks.pop();
      return;
    }
    const { start, end, lines } = this.open;
    const last = this.text.lastIndexOf('\n', end - 1);
    if (lines === 1 || last < start) this.open = null;
    else this.open = { ...this.open, end: last, lines: lines - 1 };
    this.close();
  }

  private push(kind: Block['kind'], start: number, end: number): void {
    const stretch = start < end ? trimmed(this.text, start, end) : null;
    if (stretch !== null)
      this.blocks.push({ start: stretch.start, end: stretch.end, kind, indent: 0 });
  }
}
