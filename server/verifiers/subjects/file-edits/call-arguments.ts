/** Members of a call's arguments, each by the first of its names that is present. */
import type { SubjectTool } from '../../../domain';
import { isObject } from '../json-value';
import type { CellEdit } from './notebook';
import type { Replacement } from './replace-text';
import { commandOf } from './shell';
import { EditProblem } from './workspace';

export interface Call {
  readonly tool: SubjectTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** Arguments that are a single text. */
  readonly text: string | null;
  readonly onProblem: (problem: EditProblem) => void;
}

export const PATHS = [
  'file_path',
  'path',
  'filePath',
  'filepath',
  'filename',
  'file',
  'target_file',
  'TargetFile',
  'absolute_path',
  'AbsolutePath',
  'relative_workspace_path',
  'notebook_path',
  'uri',
];
export const CONTENTS = [
  'content',
  'file_text',
  'contents',
  'code',
  'text',
  'CodeContent',
  'data',
  'code_content',
];
export const OLD = [
  'old_string',
  'old_str',
  'oldString',
  'oldText',
  'old_text',
  'search',
  'TargetContent',
];
const NEW = [
  'new_string',
  'new_str',
  'newString',
  'newText',
  'new_text',
  'replace',
  'replacement',
  'ReplacementContent',
];
export const DIFFS = [
  'diff',
  'patch',
  'input',
  'patchText',
  'patch_text',
  'changes',
  'content',
  'command',
];
export const RANGES = [
  'offset',
  'limit',
  'view_range',
  'start_line',
  'end_line',
  'startLine',
  'endLine',
  'head',
  'tail',
  'lines',
];

export function textIn(value: unknown, names: readonly string[]): string | null {
  if (!isObject(value)) return null;
  const found = names.find((name) => typeof value[name] === 'string');
  return found === undefined ? null : (value[found] as string);
}

export const pathIn = (call: Call): string => textIn(call.args, PATHS) ?? '';
export const hasPath = ({ args }: Call): boolean => (textIn(args, PATHS) ?? '') !== '';
export const commandIn = ({ args, text }: Call): string | null =>
  text ??
  commandOf(
    args.command ?? args.cmd ?? args.script ?? (isObject(args.action) ? args.action.command : null),
  );
export const editorCommand = (call: Call): string | null =>
  hasPath(call) ? textIn(call.args, ['command']) : null;

export function replacementIn(path: string, value: unknown): Replacement {
  const old = textIn(value, OLD);
  if (old === null) throw new EditProblem(path, 'the call does not name the text that it replaces');
  const {
    replace_all: all,
    replaceAll,
    allow_multiple: several,
    expected_replacements: expected,
  } = isObject(value) ? value : {};
  return {
    old,
    new: textIn(value, NEW) ?? '',
    all: all === true || replaceAll === true || several === true,
    expected: typeof expected === 'number' ? expected : null,
  };
}

export const isListOfEdits = ({ args }: Call): boolean =>
  Array.isArray(args.edits) || Array.isArray(args.replacements);

export function cellEditIn({ args }: Call): CellEdit {
  const mode = textIn(args, ['edit_mode', 'editMode', 'editType', 'mode']);
  const number = args.cell_number ?? args.cell_index;
  return {
    mode: mode === 'insert' || mode === 'delete' ? mode : 'replace',
    cell:
      textIn(args, ['cell_id', 'cellId', 'cell']) ?? (typeof number === 'number' ? number : null),
    source: textIn(args, ['new_source', 'newSource', 'newCode', 'source', 'content']) ?? '',
    type: textIn(args, ['cell_type', 'cellType', 'language']),
  };
}

export const diffIn = ({ args, text }: Call): string | null =>
  text ?? textIn(args, DIFFS) ?? commandOf(args.command);
