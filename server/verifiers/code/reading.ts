import type { SubjectFile } from '../../domain';
import { readFileEdits } from '../subjects/file-edits';
import { type Material, noSubject, type Read, readBy, type Readings } from '../subjects/reading';
import { CodeSubject } from './subject';

/** The user's request and the files written for it; tests are run only if they are configured. */
export const codeReadings: Readings<CodeSubject> = { turn: readCode, trace: readCode };

function readCode({ subject, settings }: Material): Read<CodeSubject> {
  const { tools, output, input } = subject;
  const edits = readFileEdits({ tools, output, messages: input.messages });
  const files = subject.files.length > 0 ? subject.files : edits.files;
  if (files.length === 0) {
    const [note] = edits.notes;
    return noSubject(
      'no_files',
      note === undefined
        ? 'no file was sent, written by a tool or given in a block with a path'
        : `no file whose content is known: ${note.path}: ${note.problem}`,
    );
  }
  return readBy(CodeSubject, {
    request: input.last_user ?? '',
    files: relativeFiles(files, input.system ?? ''),
    executor_model: subject.model,
    run_tests: settings.tests ?? null,
  });
}

/** Patterns by which coding agents name their working folder to the model. */
const FOLDER =
  /(?:working directory|cwd|workspace root)\s*[:=>]\s*[`"']?((?:\/|[A-Za-z]:[/\\])[^\s`"'<]+)/i;
/** Default working folders of agents, used when no message names one. */
const FOLDERS = ['/workspace', '/testbed', '/repo', '/app'] as const;

/** Makes paths relative to the working folder; agents write absolute ones. */
function relativeFiles(files: readonly SubjectFile[], system: string): SubjectFile[] {
  const absolute = files.map(({ path }) => path).filter(isAbsolute);
  const named = FOLDER.exec(system)?.[1]?.replaceAll('\\', '/').replace(/\/+$/, '');
  const folder = [...(named === undefined ? [] : [named]), ...FOLDERS].find((root) =>
    absolute.every((path) => path.startsWith(`${root}/`)),
  );
  const start = `${folder ?? commonFolder(absolute)}/`;
  return files.map(({ path, content }) => ({
    path: isAbsolute(path) && path.startsWith(start) ? path.slice(start.length) : path,
    content,
  }));
}

const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:\/)/.test(path);

function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  const same = first.findIndex((part, at) => others.some((other) => other[at] !== part));
  return (same === -1 ? first : first.slice(0, same)).join('/');
}
