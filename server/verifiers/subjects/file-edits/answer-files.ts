/**
 * Files in the text of an answer: fenced blocks with a path, blocks of Aider's edit format, and
 * diffs. A fence without a path is not a file.
 */
import { applySearchBlocks, hasSearchBlocks, readSearchBlocks } from './search-replace';
import { applyUnifiedDiff, isUnifiedDiff } from './unified-diff';
import { EditProblem, type Workspace } from './workspace';

interface Fence {
  readonly path: string | null;
  readonly language: string;
  readonly content: string;
}

const OPENS = /^ {0,3}(`{3,}|~{3,})\s*(.*)$/;
const NAMES = /^(?:Dockerfile|Makefile|Procfile|Gemfile|Rakefile|\.[a-z]\w*(?:\.\w+)*)$/;
const PATH = /^(?:[\w@.()[\]+~-]+[/\\])*[\w@.()[\]+~-]*\.[A-Za-z][A-Za-z0-9]{0,9}$/;
/** Words with a dot that are not files, such as languages whose name looks like a file. */
const NO_PATHS = /^(?:e\.g|i\.e|etc|vs|Node\.js|Next\.js|Vue\.js|Express\.js|ASP\.NET)$/i;

const isPath = (text: string): boolean =>
  text.length <= 240 &&
  !NO_PATHS.test(text) &&
  !text.includes('://') &&
  (PATH.test(text) || NAMES.test(baseOf(text)));
const baseOf = (path: string): string => path.split(/[/\\]/).at(-1) ?? '';

/** Applies the files in an answer. `said`: texts of the user, which may contain whole files. */
export function applyAnswer(
  workspace: Workspace,
  answer: string,
  userTexts: readonly string[],
  onProblem: (problem: EditProblem) => void,
): void {
  const changes = hasSearchBlocks(answer) || isUnifiedDiff(answer);
  if (changes)
    for (const { path, content } of userTexts.flatMap(readFences))
      if (path !== null && !hasSearchBlocks(content)) workspace.see(path, content);
  for (const { path, language, content } of readFences(answer)) {
    try {
      applyFence(workspace, path, language, content, onProblem);
    } catch (error) {
      if (!(error instanceof EditProblem)) throw error;
      onProblem(error);
    }
  }
}

function applyFence(
  workspace: Workspace,
  path: string | null,
  language: string,
  content: string,
  onProblem: (problem: EditProblem) => void,
): void {
  if (hasSearchBlocks(content)) {
    applyBlocks(workspace, path, content);
  } else if ((language === 'diff' || language === 'patch') && isUnifiedDiff(content)) {
    applyUnifiedDiff(workspace, content, path, onProblem);
  } else if (path !== null && language !== 'diff' && language !== 'patch') {
    workspace.write(path, content);
  }
}

/** Aider writes the path above the fence, or above the block inside it. */
function applyBlocks(workspace: Workspace, path: string | null, content: string): void {
  const lines = content.split('\n');
  let current = path;
  for (const block of readSearchBlocks(content)) {
    const above = pathInLine(lines[block.line - 1] ?? '');
    current = above ?? current;
    if (current !== null) applySearchBlocks(workspace, current, [block]);
  }
}

export function readFences(text: string): Fence[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const fences: Fence[] = [];
  for (let at = 0; at < lines.length; at++) {
    const opened = OPENS.exec(lines[at] ?? '');
    const mark = opened?.[1];
    const info = (opened?.[2] ?? '').trim();
    // A backtick in the info string: this is inline code.
    if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) continue;
    const start = at + 1;
    at = start;
    while (at < lines.length && !closes(lines[at] ?? '', mark)) at++;
    // An unclosed block belongs to a truncated answer.
    if (at >= lines.length) break;
    const body = lines.slice(start, at);
    fences.push({
      language: (/^[\w+#-]*/.exec(info)?.[0] ?? '').toLowerCase(),
      path: pathInInfo(info) ?? pathAbove(lines, start - 2) ?? pathInComment(body[0] ?? ''),
      content: body.map((line) => `${line}\n`).join(''),
    });
  }
  return fences;
}

function closes(line: string, mark: string): boolean {
  const text = line.trim();
  return (
    text.length >= mark.length &&
    line.search(/\S/) <= 3 &&
    text === mark.charAt(0).repeat(text.length)
  );
}

/** `ts title="src/a.ts"`, `ts src/a.ts`, `ts:src/a.ts`, `src/a.ts`. */
function pathInInfo(info: string): string | null {
  const named = /(?:title|file(?:name|path)?|path|name)\s*[=:]\s*["']?([^"'\s}]+)/i.exec(info)?.[1];
  if (named !== undefined) return isPath(named) ? named : null;
  return info.split(/[\s:{}]+/).findLast(isPath) ?? null;
}

/** The line above the fence, with at most one blank line between, if it is only a path. */
function pathAbove(lines: readonly string[], at: number): string | null {
  const line = lines[at]?.trim() === '' ? lines[at - 1] : lines[at];
  return line === undefined ? null : pathInLine(line);
}

/** `**src/a.ts**`, `### 1. src/a.ts`, `File: src/a.ts`, `` `src/a.ts`: ``. */
function pathInLine(line: string): string | null {
  const text = line
    .trim()
    .replace(/^(?:[#>*-]+\s+)?(?:\d+[.)]\s+)?/, '')
    .replace(/^[*_]+(?:File(?:name)?|Path)[*_]*:[*_]*\s*/i, '')
    .replace(/^(?:File(?:name)?|Path|Create|New file|Update)\s*:?\s+/i, '')
    .replace(/^[*_`"']+|[*_`"':]+$/g, '')
    .replace(/[*_`"':]+$/, '')
    .trim();
  return isPath(text) ? text : null;
}

/** A first line of code that is only a comment with a path that has a folder: `// src/a.ts`. */
function pathInComment(line: string): string | null {
  const text =
    /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:file(?:name|path)?:\s*)?(\S+?)\s*(?:\*\/|-->)?\s*$/i.exec(
      line,
    )?.[1];
  return text !== undefined && isPath(text) && !text.startsWith('.') ? text : null;
}
