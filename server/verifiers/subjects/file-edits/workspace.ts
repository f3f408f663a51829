import type { SubjectFile } from '../../../domain';

/** Why a call could not be applied. */
export interface FileEditNote {
  readonly path: string;
  /** Id of the tool call; `output` for the answer. */
  readonly call: string;
  readonly problem: string;
}

/** A call that cannot be applied: the content of the file is unknown afterwards. */
export class EditProblem extends Error {
  override readonly name = 'EditProblem';

  constructor(
    readonly path: string,
    problem: string,
  ) {
    super(problem);
  }
}

const FILE_CHARS_MAX = 5_000_000;
/** Total characters of all contents written in sequence. */
const WRITTEN_CHARS_MAX = 100_000_000;
/** Lines compared to locate edits. */
const COMPARISONS_MAX = 20_000_000;
const HISTORY_MAX = 20;

/** Null if the file does not exist. */
type Content = string | null;

interface Entry {
  /** Undefined if unknown. */
  content: Content | undefined;
  /** Changed by an edit, not only seen. */
  written: boolean;
  readonly before: (Content | undefined)[];
}

/** Files by path, with the content known from reads and writes. */
export class Workspace {
  readonly #files = new Map<string, Entry>();
  #writtenChars = 0;
  #comparisons = 0;

  /** The content of a file before an edit. @throws EditProblem */
  contentOf(path: string): string {
    const content = this.#files.get(pathOf(path))?.content;
    if (typeof content === 'string') return content;
    throw new EditProblem(
      path,
      content === null
        ? 'the file is not there any more'
        : 'its content before the edit is not known: no whole read or write of it came before',
    );
  }

  isKnown(path: string): boolean {
    return typeof this.#files.get(pathOf(path))?.content === 'string';
  }

  /** The file was deleted, or is not known yet. */
  isAbsent(path: string): boolean {
    return (this.#files.get(pathOf(path))?.content ?? null) === null;
  }

  /** @throws EditProblem above the size limit */
  write(path: string, content: string): void {
    this.#writtenChars += content.length;
    if (content.length > FILE_CHARS_MAX || this.#writtenChars > WRITTEN_CHARS_MAX)
      throw new EditProblem(path, `it has more than ${FILE_CHARS_MAX} characters`);
    this.#change(path, content);
  }

  remove(path: string): void {
    this.#change(path, null);
  }

  /** Reverts the last change of a file. @throws EditProblem if none is known */
  undo(path: string): void {
    const entry = this.#files.get(pathOf(path));
    if (entry === undefined || entry.before.length === 0)
      throw new EditProblem(path, 'no edit of it is known that could be reverted');
    entry.content = entry.before.pop();
  }

  /** A tool showed the whole file: this content replaces the computed one. */
  see(path: string, content: string): void {
    const entry = this.#entry(path);
    const isSame =
      typeof entry.content === 'string' && withoutEnd(entry.content) === withoutEnd(content);
    // A listing does not show whether the last line ends.
    if (!isSame && content.length <= FILE_CHARS_MAX) entry.content = content;
  }

  /** Marks the content as unknown from here on. */
  lose(path: string): void {
    const entry = this.#entry(path);
    if (entry.content !== undefined) rememberVersion(entry);
    entry.content = undefined;
  }

  /** @throws EditProblem if locating the edit takes too long */
  compare(path: string, lines: number): void {
    this.#comparisons += lines;
    if (this.#comparisons > COMPARISONS_MAX)
      throw new EditProblem(path, 'finding where its edits go takes too long');
  }

  /** The written files, in the order of their first writes. */
  written(): SubjectFile[] {
    return [...this.#files].flatMap(([path, { content, written }]) =>
      written && typeof content === 'string' ? [{ path, content }] : [],
    );
  }

  #change(path: string, content: Content): void {
    const entry = this.#entry(path);
    rememberVersion(entry);
    entry.content = content;
    entry.written = true;
  }

  #entry(path: string): Entry {
    const key = pathOf(path);
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const entry: Entry = { content: undefined, written: false, before: [] };
    this.#files.set(key, entry);
    return entry;
  }
}

function rememberVersion(entry: Entry): void {
  entry.before.push(entry.content);
  if (entry.before.length > HISTORY_MAX) entry.before.shift();
}

const withoutEnd = (content: string): string => content.replace(/\r?\n$/, '');

/** Normalizes a path: forward slashes, no `./`, no empty parts. */
export function pathOf(path: string): string {
  const plain = path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^file:\/\//, '')
    .replace(/\/{2,}/g, '/');
  return plain.replace(/^(?:\.\/)+/, '').replaceAll('/./', '/') || plain;
}
