/**
 * Headings of a markdown text, line by line: ATX (`## Findings`), setext (a line underlined with =
 * or -) and a line of only bold text. Not inside fenced code, indented code or HTML comments.
 * CommonMark 0.31, sections 4.2, 4.3 and 4.5.
 *
 * A full document parser takes microseconds for each character of some inputs and grows with
 * nesting; a 20 MiB answer would block its process for minutes. This parser reads each line once.
 */
export interface Heading extends LineRange {
  /** Plain text, without markup and numbering. */
  readonly title: string;
}

/** UTF-16 indices of a line's content. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

const FENCE = /^(`{3,}|~{3,})/;
const ATX = /^#{1,6}(?=[ \t]|$)/;
/** Stars and underscores inside are only markup of single words: the line is bold throughout. */
const BOLD_LINE = /^(?:\*\*[^*]+\*\*|__[^_]+__):?$/;
const SETEXT = /^(?:=+|-+)$/;
const LINE_MAX = 1000;

export function listHeadings(text: string): readonly Heading[] {
  const headings: Heading[] = [];
  let fence: string | null = null;
  let inComment = false;
  let above: LineRange | null = null;
  for (const { raw, start } of linesOf(text)) {
    const indent = raw.length - raw.trimStart().length;
    const line = raw.trim();
    const place = { start: start + indent, end: start + indent + line.length };
    const before = above;
    above = null;
    if (fence !== null) {
      if (line.startsWith(fence) && isAll(line, fence.charAt(0))) fence = null;
      continue;
    }
    if (inComment || line.startsWith('<!--')) {
      inComment = !line.includes('-->');
      continue;
    }
    if (line === '' || raw.slice(0, indent).includes('\t') || indent > 3) continue;
    const fenced = FENCE.exec(line)?.[1];
    if (fenced !== undefined) {
      fence = fenced;
      continue;
    }
    if (line.length > LINE_MAX) continue;
    if (before !== null && SETEXT.test(line))
      push(headings, text.slice(before.start, before.end), before);
    else if (ATX.test(line)) push(headings, withoutClosing(line.replace(ATX, '')), place);
    else if (BOLD_LINE.test(line)) push(headings, line, place);
    else above = place;
  }
  return headings;
}

function push(headings: Heading[], text: string, place: LineRange): void {
  const title = plainTitle(text);
  if (title !== '') headings.push({ title, ...place });
}

/** Without the optional closing number signs of a heading: `## Findings ##`. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 35) end--;
  return end === text.length || !/\s/.test(text.charAt(end - 1)) ? text : text.slice(0, end);
}

function isAll(line: string, sign: string): boolean {
  for (const each of line) if (each !== sign) return false;
  return true;
}

function* linesOf(text: string): Generator<{ readonly raw: string; readonly start: number }> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    const raw = text.slice(
      start,
      stop > start && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop,
    );
    yield { raw, start };
    start = stop + 1;
  }
}

/**
 * The title without emphasis, code ticks, links, numbering (`2.`, `3.1`, `IV.`, `A)`) and a closing
 * colon.
 */
export function plainTitle(text: string): string {
  // Every step is linear: a text may consist of headings, or of brackets, only.
  return text
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*_`~]/g, '')
    .split(/\s/)
    .filter((word) => word !== '')
    .join(' ')
    .replace(/^(?:\d+(?:\.\d+)*[.):]?|[IVXivx]+[.)]|[A-Za-z][.)]) /, '')
    .replace(/ ?[:.]$/, '');
}
