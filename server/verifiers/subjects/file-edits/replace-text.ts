import { EditProblem, type Workspace } from './workspace';

export interface Replacement {
  readonly old: string;
  readonly new: string;
  /** Replaces every occurrence; otherwise there must be exactly one. */
  readonly all: boolean;
  /** The expected number of occurrences, if the call states it. */
  readonly expected?: number | null;
}

/** Replaces text that a call quotes literally. An empty old text creates a file. */
export function replaceText(workspace: Workspace, path: string, edit: Replacement): void {
  if (edit.old === '') {
    if (!workspace.isAbsent(path) && workspace.contentOf(path) !== '')
      throw new EditProblem(path, 'the text to replace is empty, and the file is not');
    workspace.write(path, edit.new);
    return;
  }
  const content = workspace.contentOf(path);
  const { old, fresh } = withLineEnds(content, edit);
  const parts = content.split(old);
  const found = parts.length - 1;
  if (found === 0) throw new EditProblem(path, 'the text to replace is not in the file');
  const expected = edit.expected ?? (edit.all ? found : 1);
  if (found !== expected)
    throw new EditProblem(
      path,
      `the text to replace is in the file ${found} times, expected ${expected}`,
    );
  const size = content.length + found * (fresh.length - old.length);
  if (size > 5_000_000) throw new EditProblem(path, 'the edit makes it too large');
  workspace.write(path, parts.join(fresh));
}

/** Converts line ends: models write line feeds even if the file has others. */
function withLineEnds(
  content: string,
  { old, new: fresh }: Replacement,
): { readonly old: string; readonly fresh: string } {
  const needsReturns = !content.includes(old) && content.includes('\r\n') && !old.includes('\r');
  if (!needsReturns) return { old, fresh };
  return { old: old.replaceAll('\n', '\r\n'), fresh: fresh.replaceAll('\n', '\r\n') };
}

/** Inserts lines after a line; 0: before the first. */
export function insertLines(workspace: Workspace, path: string, after: number, text: string): void {
  const lines = workspace.contentOf(path).split('\n');
  if (!Number.isInteger(after) || after < 0 || after > lines.length)
    throw new EditProblem(path, `it has no line ${after} to insert after`);
  workspace.write(
    path,
    [...lines.slice(0, after), ...text.split('\n'), ...lines.slice(after)].join('\n'),
  );
}
