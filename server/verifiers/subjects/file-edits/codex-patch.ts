/**
 * Patches as Codex writes them:
 *
 *     *** Begin Patch
 *     *** Add File: a.txt
 *     +line
 *     *** Update File: b.txt
 *     *** Move to: c.txt
 *     @@ def f():
 *      context
 *     -old
 *     +new
 *     *** Delete File: d.txt
 *     *** End Patch
 *
 * Source: openai/codex, codex-rs/apply-patch.
 */
import { applyLineHunks, type LineHunk } from './line-hunks';
import { EditProblem, type Workspace } from './workspace';

const SECTION = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const END = /^\*\*\* End Patch\s*$/;
const END_OF_FILE = /^\*\*\* End of File\s*$/;

export const isCodexPatch = (text: string): boolean => /^\*\*\* Begin Patch\s*$/m.test(text);

/** Applies one patch, section by section. A section that cannot be applied is reported. */
export function applyCodexPatch(
  workspace: Workspace,
  text: string,
  onProblem: (problem: EditProblem) => void,
): void {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  let at = lines.findIndex((line) => /^\*\*\* Begin Patch\s*$/.test(line)) + 1;
  while (at < lines.length && !END.test(lines[at] ?? '')) {
    const section = SECTION.exec(lines[at] ?? '');
    at++;
    if (section === null) continue;
    const from = at;
    while (at < lines.length && !isBoundary(lines[at] ?? '')) at++;
    const [, kind, path] = section;
    try {
      applySection(workspace, kind ?? '', (path ?? '').trim(), lines.slice(from, at));
    } catch (error) {
      if (!(error instanceof EditProblem)) throw error;
      onProblem(error);
    }
  }
}

const isBoundary = (line: string): boolean => SECTION.test(line) || END.test(line);

function applySection(
  workspace: Workspace,
  kind: string,
  path: string,
  body: readonly string[],
): void {
  if (kind === 'Add') {
    workspace.write(path, addedText(body));
    return;
  }
  if (kind === 'Delete') {
    workspace.remove(path);
    return;
  }
  const moved = MOVE.exec(body[0] ?? '')?.[1]?.trim() ?? null;
  updateFile(workspace, path, moved, readHunks(moved === null ? body : body.slice(1)));
}

/** The lines of a new file, each with a plus sign. */
export function addedText(body: readonly string[]): string {
  return body
    .filter((line) => line.startsWith('+'))
    .map((line) => `${line.slice(1)}\n`)
    .join('');
}

/** Changes a file, and moves it if a new path is given. */
export function updateFile(
  workspace: Workspace,
  path: string,
  moved: string | null,
  hunks: readonly LineHunk[],
): void {
  try {
    const content =
      hunks.length === 0 ? workspace.contentOf(path) : applyLineHunks(workspace, path, hunks);
    workspace.write(moved ?? path, content);
  } catch (error) {
    // The file was moved even though the edit failed.
    if (moved !== null && error instanceof EditProblem) workspace.lose(moved);
    throw error;
  } finally {
    if (moved !== null && moved !== path) workspace.remove(path);
  }
}

/** Hunks of an update. An empty line counts as an empty line of context. */
export function readHunks(body: readonly string[]): LineHunk[] {
  const hunks: { headers: string[]; lines: string[]; atEnd: boolean }[] = [];
  let current: (typeof hunks)[number] | null = null;
  for (const line of body) {
    const header = /^@@+(?: (.*?))?(?: @@+.*)?$/.exec(line);
    if (header !== null) {
      const text = header[1] ?? '';
      // Headers on separate lines follow each other, from the outermost inwards.
      if (current === null || current.lines.length > 0) {
        current = { headers: [], lines: [], atEnd: false };
        hunks.push(current);
      }
      if (text.trim() !== '' && !isRange(text)) current.headers.push(text);
    } else if (END_OF_FILE.test(line)) {
      if (current !== null) current.atEnd = true;
    } else {
      if (current === null) {
        current = { headers: [], lines: [], atEnd: false };
        hunks.push(current);
      }
      if (/^[ +-]/.test(line)) current.lines.push(line);
      else if (line === '') current.lines.push(line);
    }
  }
  return hunks.map(withoutSeparator).filter(({ lines }) => lines.length > 0);
}

/** Line numbers are ignored, since models get them wrong: hunks are placed by their lines. */
const isRange = (text: string): boolean =>
  /^(?:-\d+(?:,\d+)? \+\d+(?:,\d+)?|\.{3})$/.test(text.trim());

/** The empty line before the next section does not belong to the hunk. */
function withoutSeparator(hunk: LineHunk): LineHunk {
  const end = hunk.lines.findLastIndex((line) => line !== '') + 1;
  return { ...hunk, lines: hunk.lines.slice(0, end).map((line) => (line === '' ? ' ' : line)) };
}
