/** The effect of shell commands on files, if the command states it literally. */
import { applyCodexPatch, isCodexPatch } from './codex-patch';
import { EditProblem, type Workspace } from './workspace';
import { fullContent } from './tool-text';

const PATH = `(?:'([^'\\n]+)'|"([^"$\`\\n]+)"|([^\\s'"$\`;&|<>()*?]+))`;
const HEREDOC = new RegExp(
  `^\\s*cat\\s*(>>?)\\s*${PATH}\\s*<<-?\\s*(['"])(\\w+)\\5\\s*\\n([^]*\\n|)\\6\\s*$`,
  'u',
);
const HEREDOC_FIRST = new RegExp(
  `^\\s*cat\\s*<<-?\\s*(['"])(\\w+)\\1\\s*(>>?)\\s*${PATH}\\s*\\n([^]*\\n|)\\2\\s*$`,
  'u',
);
const SHOWN = new RegExp(`^\\s*cat\\s+(-n\\s+)?${PATH}\\s*$`, 'u');
const REMOVED = new RegExp(`^\\s*rm\\s+(?:-f\\s+)?${PATH}\\s*$`, 'u');
const MOVED = new RegExp(`^\\s*(?:git\\s+)?mv\\s+${PATH}\\s+${PATH}\\s*$`, 'u');
const SHELLS = /^(?:\/bin\/|\/usr\/bin\/)?(?:ba|z)?sh$/;

/** The command of a call: a text, or a list of arguments with `bash -lc` before it. */
export function commandOf(command: unknown): string | null {
  if (typeof command === 'string') return command;
  if (!Array.isArray(command) || command.length === 0) return null;
  const words = command.filter((word): word is string => typeof word === 'string');
  if (words.length < command.length) return null;
  const [program, flag, script] = words;
  if (SHELLS.test(program ?? '') && /^-\w*c$/.test(flag ?? '')) return script ?? null;
  return words.join(program === 'apply_patch' ? '\n' : ' ');
}

/** Whether the command writes files in one of the supported ways. */
export function writesFiles(command: string): boolean {
  return (
    isCodexPatch(command) ||
    [HEREDOC, HEREDOC_FIRST, REMOVED, MOVED].some((form) => form.test(command))
  );
}

export const showsFile = (command: string): boolean => SHOWN.test(command);

export function applyCommand(
  workspace: Workspace,
  command: string,
  onProblem: (problem: EditProblem) => void,
): void {
  if (isCodexPatch(command)) {
    applyCodexPatch(workspace, command, onProblem);
    return;
  }
  const after = HEREDOC.exec(command);
  if (after !== null) write(workspace, after[1], pathIn(after, 2), after[7]);
  const before = HEREDOC_FIRST.exec(command);
  if (before !== null) write(workspace, before[3], pathIn(before, 4), before[7]);
  const removed = REMOVED.exec(command);
  if (removed !== null) workspace.remove(pathIn(removed, 1));
  const moved = MOVED.exec(command);
  if (moved !== null) {
    const from = pathIn(moved, 1);
    if (workspace.isKnown(from)) workspace.write(pathIn(moved, 4), workspace.contentOf(from));
    workspace.remove(from);
  }
}

function write(
  workspace: Workspace,
  sign: string | undefined,
  path: string,
  body: string | undefined,
): void {
  const text = body ?? '';
  workspace.write(path, sign === '>>' ? workspace.contentOf(path) + text : text);
}

/** Records the content of a file that `cat` showed. */
export function seeCommand(workspace: Workspace, command: string, result: unknown): void {
  const shown = SHOWN.exec(command);
  const content = shown === null ? null : fullContent(result);
  if (shown !== null && content !== null) workspace.see(pathIn(shown, 2), content);
}

const pathIn = (found: RegExpExecArray, from: number): string =>
  found[from] ?? found[from + 1] ?? found[from + 2] ?? '';

/** Commands that change files in unsupported ways. */
const CHANGES =
  /\b(?:(?:sed|perl|ruby)\s+-\w*i|tee|mv|rm|cp|patch|truncate|dd|ed|ex|git\s+(?:checkout|restore|apply|reset|stash|revert)|gofmt\s+-w|black|isort|rustfmt|prettier|eslint|ruff|biome)\b|--(?:write|fix|in-place)\b/;
const CHANGES_ALL = /\bgit\s+(?:reset\s+--hard|stash|checkout\s+(?:--\s+)?\.)/;

/** Reports each written file that the command may have changed. */
export function doubtFiles(
  workspace: Workspace,
  command: string,
  onProblem: (problem: EditProblem) => void,
): void {
  for (const { path } of workspace.written()) {
    const name = path.split('/').at(-1) ?? path;
    const isNamed = command.includes(name);
    const isTarget = isNamed && (CHANGES.test(command) || isWrittenTo(command, name));
    if (isTarget || CHANGES_ALL.test(command))
      onProblem(new EditProblem(path, 'a command may have changed it in a way that is not read'));
  }
}

/** A redirection to a path that ends with the name. */
function isWrittenTo(command: string, name: string): boolean {
  return [...command.matchAll(/>{1,2}\s*["']?([^\s"'|&;<>]+)/g)].some(
    ([, target]) => target?.endsWith(name) === true,
  );
}
