/**
 * Hunks that are placed by their lines, not by line numbers: those of Codex patches, and of unified
 * diffs whose numbers are wrong or missing. A hunk goes to the next occurrence of its old lines:
 * exact, or except for white space at the ends of lines, or around them.
 */
import { EditProblem, type Workspace } from './workspace';

export interface LineHunk {
  /** Lines that precede the hunk, outermost first: `class A`, `def f():`. */
  readonly headers: readonly string[];
  /** Lines with their sign: ` `, `-` or `+`. */
  readonly lines: readonly string[];
  /** The old lines are the last ones of the file. */
  readonly atEnd: boolean;
}

type Same = (line: string) => string;
const ways: readonly Same[] = [(line) => line, (line) => line.trimEnd(), (line) => line.trim()];

/** @throws EditProblem if a hunk has no match */
export function applyLineHunks(
  workspace: Workspace,
  path: string,
  hunks: readonly LineHunk[],
): string {
  const content = workspace.contentOf(path);
  const lineEnd = content.includes('\r\n') ? '\r\n' : '\n';
  const lines = content === '' ? [] : content.split(lineEnd);
  if (lines.at(-1) === '') lines.pop();
  const result: string[] = [];
  let at = 0;
  hunks.forEach((sent, number) => {
    const found = placedHunk(workspace, path, lines, sent, at);
    if (found === null)
      throw new EditProblem(path, `the lines that hunk ${number + 1} changes are not in the file`);
    const { hunk, place } = found;
    result.push(...lines.slice(at, place), ...hunkResult(hunk, lines, place));
    at = place + oldLines(hunk).length;
  });
  result.push(...lines.slice(at));
  return result.length === 0 ? '' : `${result.join(lineEnd)}${lineEnd}`;
}

/** A hunk may end with blank context lines that the file does not have. */
function placedHunk(
  workspace: Workspace,
  path: string,
  lines: readonly string[],
  sent: LineHunk,
  from: number,
): { readonly hunk: LineHunk; readonly place: number } | null {
  const end = sent.lines.findLastIndex((line) => line !== ' ') + 1;
  const shorter =
    end < sent.lines.length && end > 0 ? [{ ...sent, lines: sent.lines.slice(0, end) }] : [];
  for (const hunk of [sent, ...shorter]) {
    const place = findPlace(workspace, path, lines, hunk, from);
    if (place !== null) return { hunk, place };
  }
  return null;
}

const oldLines = ({ lines }: LineHunk): string[] =>
  lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));

/** Context lines keep the file's white space, not the hunk's. */
function hunkResult(hunk: LineHunk, lines: readonly string[], place: number): string[] {
  let old = place;
  return hunk.lines.flatMap((line) => {
    if (line.startsWith('+')) return [line.slice(1)];
    const contextLine = lines[old++] ?? line.slice(1);
    return line.startsWith('-') ? [] : [contextLine];
  });
}

function findPlace(
  workspace: Workspace,
  path: string,
  lines: readonly string[],
  hunk: LineHunk,
  from: number,
): number | null {
  let start = from;
  for (const header of hunk.headers) {
    const found = seek(workspace, path, lines, [header], start);
    if (found === null) return null;
    start = found + 1;
  }
  const old = oldLines(hunk);
  if (old.length === 0) return lines.length;
  const last = lines.length - old.length;
  if (hunk.atEnd && last >= start) {
    const found = seek(workspace, path, lines, old, last);
    if (found !== null) return found;
  }
  return seek(workspace, path, lines, old, start);
}

function seek(
  workspace: Workspace,
  path: string,
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
): number | null {
  for (const same of ways) {
    const plain = wanted.map(same);
    for (let at = from; at + plain.length <= lines.length; at++) {
      let matched = 0;
      while (matched < plain.length && same(lines[at + matched] ?? '') === plain[matched])
        matched++;
      workspace.compare(path, matched + 1);
      if (matched === plain.length) return at;
    }
  }
  return null;
}
