import type { SubjectFile } from '../../../domain';

/** Why a call could not be applied. */
export interface FileEditNote {
  readonly path: string;
  /** Id of the tool's call; `output` for what is in the answer. */
  readonly call: string;
  readonly problem: string;
}

/** A call that cannot be applied: what the file holds afterwards is not known. */
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
/** Of all contents that are written one after another. */
const WRITTEN_CHARS_MAX = 100_000_000;
/** Lines that are compared to find where edits go. */
const COMPARISONS_MAX = 20_000_000;
const HISTORY_MAX = 20;

/** Null: the file is not there. */
type Content = string | null;

interface Entry {
  /** Undefined: not known. */
  content: Content | undefined;
  /** By an edit, not only seen. */
  written: boolean;
  readonly before: (Content | undefined)[];
}

/** Files as far as they are known from what was read and written, by path. */
export class Workspace {
  readonly #files = new Map<string, Entry>();
  #writtenChars = 0;
  #comparisons = 0;

  /** The content of a file that an edit starts from. @throws EditProblem */
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

  /** Nothing has been said of the file yet, or that it is gone. */
  isAbsent(path: string): boolean {
    return (this.#files.get(pathOf(path))?.content ?? null) === null;
  }

  /** @throws EditProblem for more than is kept */
  write(path: string, content: string): void {
    this.#writtenChars += content.length;
    if (content.length > FILE_CHARS_MAX || this.#writtenChars > WRITTEN_CHARS_MAX)
      throw new EditProblem(path, `it has more than ${FILE_CHARS_MAX} characters`);
    this.#change(path, content);
  }

  remove(path: string): void {
    this.#change(path, null);
  }

  /** Takes the last change of a file back. @throws EditProblem where none is known */
  undo(path: string): void {
    const entry = this.#files.get(pathOf(path));
    if (entry === undefined || entry.before.length === 0)
      throw new EditProblem(path, 'no edit of it is known that could be taken back');
    entry.content = entry.before.pop();
  }

  /** What a tool showed of a whole file: it was there whatever was written before. */
  see(path: string, content: string): void {
    const entry = this.#entry(path);
    const isSame =
      typeof entry.content === 'string' && withoutEnd(entry.content) === withoutEnd(content);
    // A listing does not say whether the last line ends.
    if (!isSame && content.length <= FILE_CHARS_MAX) entry.content = content;
  }

  /** From here on the content is not known. */
  lose(path: string): void {
    const entry = this.#entry(path);
    if (entry.content !== undefined) keep(entry);
    entry.content = undefined;
  }

  /** @throws EditProblem where looking for the place takes too long */
  compare(path: string, lines: number): void {
    this.#comparisons += lines;
    if (this.#comparisons > COMPARISONS_MAX)
      throw new EditProblem(path, 'finding where its edits go takes too long');
  }

  /** What was written, in the order of the first writes. */
  written(): SubjectFile[] {
    return [...this.#files].flatMap(([path, { content, written }]) =>
      written && typeof content === 'string' ? [{ path, content }] : [],
    );
  }

  #change(path: string, content: Content): void {
    const entry = this.#entry(path);
    keep(entry);
    entry.content = content;
    entry.written = true;
  }

  #entry(path: string): Entry {
    const key = pathOf(path);
    const held = this.#files.get(key);
    if (held !== undefined) return held;
    const entry: Entry = { content: undefined, written: false, before: [] };
    this.#files.set(key, entry);
    return entry;
  }
}

function keep(entry: Entry): void {
  entry.before.push(entry.content);
  if (entry.before.length > HISTORY_MAX) entry.before.shift();
}

const withoutEnd = (content: string): string => content.replace(/\r?\n$/, '');

/** One spelling of a path: forward slashes, no `./`, no empty parts. */
export function pathOf(path: string): string {
  const plain = path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^file:\/\//, '')
    .replace(/\/{2,}/g, '/');
  return plain.replace(/^(?:\.\/)+/, '').replaceAll('/./', '/') || plain;
}
