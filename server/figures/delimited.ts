import type { Region } from './exempt';

/** Lines read to distinguish a table from prose. */
const PROBED_LINES = 12;

/**
 * Cells of comma-separated text, so that `500,123.4` is two values there and not one; null if the
 * text is not such a table: at least two lines with the same number of commas and no blank after
 * any. Lines that begin with # are one cell.
 */
export function findCells(text: string): readonly Region[] | null {
  if (!looksDelimited(text)) return null;
  const cells: Region[] = [];
  let from = 0;
  while (from <= text.length) {
    const newline = text.indexOf('\n', from);
    const to = newline === -1 ? text.length : newline;
    if (text[from] === '#') cells.push({ from, to });
    else addCells(text, from, to, cells);
    from = to + 1;
  }
  return cells;
}

function addCells(text: string, from: number, to: number, cells: Region[]): void {
  let start = from;
  let quoted = false;
  for (let at = from; at <= to; at++) {
    if (text[at] === '"') quoted = !quoted;
    if (at < to && (quoted || text[at] !== ',')) continue;
    cells.push({ from: start, to: at });
    start = at + 1;
  }
}

function looksDelimited(text: string): boolean {
  let lines = 0;
  let commas = -1;
  let from = 0;
  while (lines < PROBED_LINES && from < text.length) {
    const newline = text.indexOf('\n', from);
    const to = newline === -1 ? text.length : newline;
    const line = text.slice(from, to).trim();
    from = to + 1;
    if (line === '' || line.startsWith('#')) continue;
    const count = countCommas(line);
    if (count === null || count === 0 || (commas !== -1 && count !== commas)) return false;
    commas = count;
    lines++;
  }
  return lines >= 2;
}

function countCommas(line: string): number | null {
  let count = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') quoted = !quoted;
    if (quoted || line[at] !== ',') continue;
    if (line[at + 1] === ' ') return null;
    count++;
  }
  return count;
}
