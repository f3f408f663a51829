/**
 * Blocks of text to find and text to put in its place, as Aider, Cline and Roo write them:
 *
 *     <<<<<<< SEARCH
 *     old
 *     =======
 *     new
 *     >>>>>>> REPLACE
 */
import { applyLineHunks } from './line-hunks';
import { EditProblem, type Workspace } from './workspace';

export interface SearchBlock {
  readonly search: string;
  readonly replace: string;
  /** Line of the text in which the block begins. */
  readonly line: number;
}

const SEARCH = /^[<-]{5,9} SEARCH>?\s*$/;
const DIVIDER = /^={5,9}\s*$/;
const REPLACE = /^[>+]{5,9} REPLACE>?\s*$/;
/** Roo states the line at which the search begins. */
const HINT = /^:(?:start|end)_line:\s*\d+\s*$/;
const HINT_END = /^-{5,9}\s*$/;

export const hasSearchBlocks = (text: string): boolean =>
  text.split('\n').some((line) => SEARCH.test(line));

/** The complete blocks; a truncated block is omitted. */
export function readSearchBlocks(text: string): SearchBlock[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: SearchBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!SEARCH.test(lines[at] ?? '')) continue;
    const start = at;
    const divider = nextLine(lines, start + 1, DIVIDER);
    const end = nextLine(lines, divider + 1, REPLACE);
    if (end >= lines.length) break;
    const search = lines.slice(start + 1, divider);
    blocks.push({
      search: asText(withoutHints(search)),
      replace: asText(lines.slice(divider + 1, end)),
      line: start,
    });
    at = end;
  }
  return blocks;
}

function nextLine(lines: readonly string[], from: number, pattern: RegExp): number {
  let at = from;
  while (at < lines.length && !pattern.test(lines[at] ?? '')) at++;
  return at;
}

function withoutHints(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !HINT.test(line));
  return first > 0 && HINT_END.test(lines[first] ?? '') ? lines.slice(first + 1) : lines;
}

const asText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/**
 * Replaces the first occurrence of each block's search, in order. An empty search creates a file,
 * or replaces a whole one.
 */
export function applySearchBlocks(
  workspace: Workspace,
  path: string,
  blocks: readonly SearchBlock[],
): void {
  for (const { search, replace } of blocks) {
    if (search.trim() === '') {
      workspace.write(path, replace);
      continue;
    }
    workspace.write(path, replaceFirst(workspace, path, search, replace));
  }
}

function replaceFirst(workspace: Workspace, path: string, search: string, replace: string): string {
  const content = workspace.contentOf(path);
  // The last line of a file may have no line end.
  const terminated = content.endsWith('\n') || content === '' ? content : `${content}\n`;
  const at = lineStart(terminated, search);
  if (at === -1) return placedByLines(workspace, path, search, replace);
  const changed = terminated.slice(0, at) + replace + terminated.slice(at + search.length);
  return terminated === content ? changed : changed.replace(/\n$/, '');
}

/** The position of the search at the start of a line. */
function lineStart(content: string, search: string): number {
  let at = content.indexOf(search);
  while (at > 0 && content[at - 1] !== '\n') at = content.indexOf(search, at + 1);
  return at;
}

function placedByLines(
  workspace: Workspace,
  path: string,
  search: string,
  replace: string,
): string {
  const signed = (text: string, sign: string): string[] =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => sign + line);
  try {
    return applyLineHunks(workspace, path, [
      {
        headers: [],
        lines: [...signed(search, '-'), ...(replace === '' ? [] : signed(replace, '+'))],
        atEnd: false,
      },
    ]);
  } catch (error) {
    if (!(error instanceof EditProblem) || !error.message.includes('hunk')) throw error;
    throw new EditProblem(path, 'the text to replace is not in the file');
  }
}
