/**
 * Unified diffs, including those of git. Correct line numbers of hunks are used; models get them
 * wrong, and then hunks are placed by their lines.
 */
import { applyPatch, parsePatch, type StructuredPatch } from 'diff';
import { readHunks, updateFile } from './codex-patch';
import type { LineHunk } from './line-hunks';
import { EditProblem, type Workspace } from './workspace';

interface FilePatch {
  readonly from: string | null;
  readonly to: string | null;
  readonly hunks: readonly LineHunk[];
  readonly parsed: StructuredPatch | null;
}

const NOWHERE = '/dev/null';

export const isUnifiedDiff = (text: string): boolean =>
  /^--- .+\r?\n\+\+\+ /m.test(text) || /^(?:rename from|deleted file mode) /m.test(text);

/** @param defaultPath for a diff that names no file */
export function applyUnifiedDiff(
  workspace: Workspace,
  text: string,
  defaultPath: string | null,
  onProblem: (problem: EditProblem) => void,
): void {
  for (const patch of readPatches(text, defaultPath)) {
    try {
      applyFilePatch(workspace, patch);
    } catch (error) {
      if (!(error instanceof EditProblem)) throw error;
      onProblem(error);
    }
  }
}

function readPatches(text: string, defaultPath: string | null): FilePatch[] {
  let parsed: StructuredPatch[];
  try {
    parsed = parsePatch(text);
  } catch {
    // The line counts are wrong.
    return readLoosely(text, defaultPath);
  }
  return parsed.map((patch) => {
    const { from, to } = namesOf(patch.oldFileName, patch.newFileName);
    return {
      from: from ?? defaultPath,
      to: to ?? defaultPath,
      hunks: patch.hunks.map(({ lines }) => ({
        headers: [],
        lines: lines.filter((line) => !line.startsWith('\\')),
        atEnd: false,
      })),
      // Some models omit the numbers: `@@ ... @@`.
      parsed: patch.hunks.every(({ oldStart }) => Number.isInteger(oldStart)) ? patch : null,
    };
  });
}

function readLoosely(text: string, defaultPath: string | null): FilePatch[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const starts = lines.flatMap((line, at) =>
    line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ') ? [at] : [],
  );
  if (starts.length === 0)
    return [{ from: defaultPath, to: defaultPath, hunks: readHunks(lines), parsed: null }];
  return starts.map((start, number) => {
    const body = lines.slice(start + 2, starts[number + 1] ?? lines.length);
    const names = namesOf(headerName(lines[start] ?? ''), headerName(lines[start + 1] ?? ''));
    const end = body.findIndex((line) => line.startsWith('diff --git '));
    return { ...names, hunks: readHunks(end === -1 ? body : body.slice(0, end)), parsed: null };
  });
}

const headerName = (line: string): string => (line.slice(4).split('\t')[0] ?? '').trim();

/** Removes git's prefixes `a/` and `b/`. */
function namesOf(
  old: string | undefined,
  fresh: string | undefined,
): { readonly from: string | null; readonly to: string | null } {
  const isMarked =
    (old === NOWHERE || old?.startsWith('a/') === true) &&
    (fresh === NOWHERE || fresh?.startsWith('b/') === true);
  const plain = (name: string | undefined): string | null =>
    name === undefined || name === '' ? null : isMarked && name !== NOWHERE ? name.slice(2) : name;
  return { from: plain(old), to: plain(fresh) };
}

function applyFilePatch(workspace: Workspace, patch: FilePatch): void {
  const { from, to, hunks } = patch;
  if (from === null || to === null) throw new EditProblem('', 'the diff does not name its file');
  if (to === NOWHERE) {
    workspace.remove(from);
    return;
  }
  if (from === NOWHERE) {
    workspace.write(to, newText(patch));
    return;
  }
  const exact =
    patch.parsed !== null && workspace.isKnown(from)
      ? applyPatch(workspace.contentOf(from), patch.parsed)
      : false;
  if (exact === false) {
    updateFile(workspace, from, to === from ? null : to, hunks);
    return;
  }
  workspace.write(to, exact);
  if (to !== from) workspace.remove(from);
}

function newText({ hunks, parsed }: FilePatch): string {
  const exact = parsed === null ? false : applyPatch('', parsed);
  if (exact !== false) return exact;
  return hunks
    .flatMap(({ lines }) => lines.filter((line) => line.startsWith('+')))
    .map((line) => `${line.slice(1)}\n`)
    .join('');
}
