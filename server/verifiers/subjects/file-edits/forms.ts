/**
 * How agents write files: one entry per form of call, with the names of its tools and the members
 * of their arguments, each by the first of its names that is present. A new tool is one more name,
 * a new form one more entry.
 */
import { isObject } from '../json-value';
import {
  type Call,
  PATHS,
  CONTENTS,
  OLD,
  DIFFS,
  RANGES,
  textIn,
  pathIn,
  hasPath,
  commandIn,
  editorCommand,
  replacementIn,
  isListOfEdits,
  cellEditIn,
  diffIn,
} from './call-arguments';
import { addedText, applyCodexPatch, isCodexPatch, readHunks, updateFile } from './codex-patch';
import { editNotebook } from './notebook';
import { insertLines, replaceText } from './replace-text';
import { applySearchBlocks, readSearchBlocks } from './search-replace';
import { applyCommand, doubtFiles, seeCommand, showsFile, writesFiles } from './shell';
import { fullContent } from './tool-text';
import { applyUnifiedDiff, isUnifiedDiff } from './unified-diff';
import { EditProblem, type Workspace } from './workspace';

interface Form {
  readonly names: readonly string[];
  /** False for a read: it changes nothing, but provides the content that edits start from. */
  readonly writes: boolean;
  fits(call: Call): boolean;
  apply(call: Call, workspace: Workspace): void;
}

const SHELLS: readonly string[] = [
  'bash',
  'shell',
  'executebash',
  'execcommand',
  'containerexec',
  'localshell',
  'localshellcall',
  'runterminalcmd',
  'runshellcommand',
  'executecommand',
  'runcommand',
  'terminal',
  'shellcommand',
  'runinterminal',
  'cmdrun',
];

const forms: readonly Form[] = [
  {
    names: [
      'write',
      'writefile',
      'createfile',
      'writetofile',
      'savefile',
      'newfile',
      'createnewfile',
      'addfile',
      'create',
      'fswrite',
      'overwritefile',
      'filewrite',
      'createorupdatefile',
    ],
    writes: true,
    fits: (call) => hasPath(call) && editorCommand(call) === null,
    apply(call, workspace) {
      const content = textIn(call.args, CONTENTS);
      if (content === null) throw new EditProblem(pathIn(call), 'the call has no content');
      workspace.write(pathIn(call), content);
    },
  },
  {
    names: ['multiedit', 'multireplacestringinfile', 'edit', 'editfile'],
    writes: true,
    fits: (call) => isListOfEdits(call) && call.args.dryRun !== true,
    apply(call, workspace) {
      const { edits, replacements } = call.args;
      const own = textIn(call.args, PATHS);
      const list: unknown[] = Array.isArray(edits)
        ? edits
        : Array.isArray(replacements)
          ? replacements
          : [];
      for (const edit of list) {
        const path = own ?? textIn(edit, PATHS) ?? '';
        replaceText(workspace, path, replacementIn(path, edit));
      }
    },
  },
  {
    names: [
      'edit',
      'editfile',
      'strreplace',
      'replace',
      'searchreplace',
      'replacestringinfile',
      'strreplaceinfile',
      'replacefilecontent',
      'fileedit',
      'stringreplace',
      'updatefile',
    ],
    writes: true,
    fits: (call) => hasPath(call) && textIn(call.args, OLD) !== null,
    apply(call, workspace) {
      replaceText(workspace, pathIn(call), replacementIn(pathIn(call), call.args));
    },
  },
  {
    names: [
      'strreplaceeditor',
      'strreplacebasededittool',
      'texteditor',
      'fileeditor',
      'edit',
      'editor',
    ],
    writes: true,
    fits: (call) =>
      ['create', 'str_replace', 'insert', 'undo_edit'].includes(editorCommand(call) ?? ''),
    apply: applyEditor,
  },
  {
    names: [
      'replaceinfile',
      'applydiff',
      'searchandreplace',
      'searchreplace',
      'editblock',
      'edit',
      'editfile',
    ],
    writes: true,
    fits: (call) => hasPath(call) && readSearchBlocks(textIn(call.args, DIFFS) ?? '').length > 0,
    apply(call, workspace) {
      applySearchBlocks(workspace, pathIn(call), readSearchBlocks(textIn(call.args, DIFFS) ?? ''));
    },
  },
  {
    names: ['applypatch', 'patch', 'applydiff', 'gitapply', 'editfile'],
    writes: true,
    fits: (call) => isCodexPatch(diffIn(call) ?? ''),
    apply(call, workspace) {
      applyCodexPatch(workspace, diffIn(call) ?? '', call.onProblem);
    },
  },
  {
    names: ['applypatch', 'patch', 'applydiff', 'gitapply', 'editfile', 'updatefile'],
    writes: true,
    fits: (call) =>
      isUnifiedDiff(diffIn(call) ?? '') || (hasPath(call) && /^@@/m.test(diffIn(call) ?? '')),
    apply(call, workspace) {
      applyUnifiedDiff(workspace, diffIn(call) ?? '', textIn(call.args, PATHS), call.onProblem);
    },
  },
  {
    // The hosted tool of OpenAI's Responses API: one operation per call, its diff without headers.
    names: ['applypatch', 'applypatchcall'],
    writes: true,
    fits: ({ args }) => isObject(args.operation) && typeof args.operation.path === 'string',
    apply: ({ args }, workspace) => applyOperation(args.operation, workspace),
  },
  {
    names: ['notebookedit', 'editnotebook', 'editnotebookfile', 'notebookeditcell'],
    writes: true,
    fits: hasPath,
    apply: (call, workspace) => editNotebook(workspace, pathIn(call), cellEditIn(call)),
  },
  {
    names: ['deletefile', 'removefile', 'filedelete', 'delete', 'remove'],
    writes: true,
    fits: hasPath,
    apply: (call, workspace) => workspace.remove(pathIn(call)),
  },
  {
    names: ['movefile', 'renamefile'],
    writes: true,
    fits: ({ args }) =>
      textIn(args, ['source', 'from', 'old_path']) !== null &&
      textIn(args, ['destination', 'to', 'new_path']) !== null,
    apply({ args }, workspace) {
      updateFile(
        workspace,
        textIn(args, ['source', 'from', 'old_path']) ?? '',
        textIn(args, ['destination', 'to', 'new_path']),
        [],
      );
    },
  },
  {
    // Edits that omit the unchanged parts, for another model to fill in.
    names: ['editfile', 'inserteditintofile', 'codeedit', 'edit'],
    writes: true,
    fits: (call) => hasPath(call),
    apply(call) {
      throw new EditProblem(pathIn(call), 'the call does not say literally what changes');
    },
  },
  {
    names: SHELLS,
    writes: true,
    fits: (call) => writesFiles(commandIn(call) ?? ''),
    apply: (call, workspace) => applyCommand(workspace, commandIn(call) ?? '', call.onProblem),
  },
  {
    names: SHELLS,
    writes: false,
    fits: (call) => showsFile(commandIn(call) ?? ''),
    apply: (call, workspace) => seeCommand(workspace, commandIn(call) ?? '', call.tool.result),
  },
  {
    names: SHELLS,
    writes: false,
    fits: (call) => commandIn(call) !== null,
    apply: (call, workspace) => {
      doubtFiles(workspace, commandIn(call) ?? '', call.onProblem);
    },
  },
  {
    names: [
      'read',
      'readfile',
      'view',
      'viewfile',
      'openfile',
      'cat',
      'getfilecontents',
      'readtextfile',
      'fileread',
      'fsread',
      'strreplaceeditor',
      'strreplacebasededittool',
      'texteditor',
      'fileeditor',
    ],
    writes: false,
    fits: (call) =>
      hasPath(call) &&
      RANGES.every((name) => (call.args[name] ?? null) === null) &&
      call.tool.result !== null,
    apply(call, workspace) {
      const content = fullContent(call.tool.result);
      if (content !== null) workspace.see(pathIn(call), content);
    },
  },
];

const byName = new Map<string, Form[]>();
for (const form of forms)
  for (const name of form.names) byName.set(name, [...(byName.get(name) ?? []), form]);

/** The form of a call; null for a tool that is not known to read or write files. */
export function formOf(call: Call): Form | null {
  // The prefix of a server or namespace is removed: `mcp__filesystem__write_file`,
  // `functions.edit`.
  const name = (call.tool.name.split(/__|[.:/]/).at(-1) ?? '')
    .toLowerCase()
    .replaceAll(/[_\-\s]/g, '');
  return byName.get(name)?.find((form) => form.fits(call)) ?? null;
}

function applyEditor(call: Call, workspace: Workspace): void {
  const path = pathIn(call);
  const { args } = call;
  const command = editorCommand(call);
  if (command === 'create') workspace.write(path, textIn(args, CONTENTS) ?? '');
  else if (command === 'undo_edit') workspace.undo(path);
  else if (command === 'insert')
    insertLines(
      workspace,
      path,
      Number(args.insert_line),
      textIn(args, ['new_str', 'insert_text', 'text']) ?? '',
    );
  else replaceText(workspace, path, replacementIn(path, args));
}

function applyOperation(operation: unknown, workspace: Workspace): void {
  const path = textIn(operation, PATHS) ?? '';
  const lines = (textIn(operation, ['diff']) ?? '').replaceAll('\r\n', '\n').split('\n');
  const type = textIn(operation, ['type']);
  if (type === 'delete_file') workspace.remove(path);
  else if (type === 'create_file') workspace.write(path, addedText(lines));
  else updateFile(workspace, path, textIn(operation, ['move_to', 'moveTo']), readHunks(lines));
}
