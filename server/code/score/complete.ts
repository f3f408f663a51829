import { findFile } from '../patterns';
import { type CodeFile, extensionOf } from '../structure';

/** How far a file is filled in (QEL-19). */
export interface FileCompleteness {
  /** As the contract names it; null for a file beyond the contract. */
  readonly planned: string | null;
  /** What stands for it; null where it is missing. */
  readonly path: string | null;
  /** 0..1. */
  readonly share: number;
  /** Counted elements, size, a file that is complete by being there, or nothing to measure. */
  readonly by: 'elements' | 'size' | 'name' | 'missing';
  /** Real ones. */
  readonly elements: number;
}

/**
 * Bytes from which on a file counts as filled in, where no count of elements is known: UTF-8,
 * blanks and comments left out.
 */
export interface SizeScale {
  readonly code: number;
  /** For what holds values and text: JSON, YAML, Markdown, lists of packages. */
  readonly data: number;
}

export const standardScale: SizeScale = { code: 80, data: 10 };

const dataExtensions = new Set(
  'json jsonc yaml yml toml ini cfg conf properties env md txt csv lock xml svg gitignore mod sum'.split(
    ' ',
  ),
);
/** Files that say what they say by being there. */
const markers =
  /(?:^|\/)(?:__init__\.py|py\.typed|\.git(?:keep|ignore)|\.npmignore|\.dockerignore|\.keep|mod\.rs)$/u;

/** Of each file owed; where the contract names none, of each file there is. */
export function completenessOf(
  deliverables: readonly string[],
  expected: Readonly<Record<string, number>>,
  files: readonly CodeFile[],
  scale: SizeScale,
): readonly FileCompleteness[] {
  const counts = new Map(Object.entries(expected));
  const countOf = (planned: string | null, path: string): number | null =>
    (planned === null ? undefined : counts.get(planned)) ??
    counts.get(path) ??
    [...counts].find(([key]) => findFile([{ path }], key))?.[1] ??
    null;
  if (deliverables.length === 0)
    return files.map((file) => measure(file, null, countOf(null, file.path), scale));
  return deliverables.map((planned) => {
    const file = findFile(files, planned);
    return file === null
      ? { planned, path: null, share: 0, by: 'missing', elements: 0 }
      : measure(file, planned, countOf(planned, file.path), scale);
  });
}

function measure(
  file: CodeFile,
  planned: string | null,
  expected: number | null,
  scale: SizeScale,
): FileCompleteness {
  const elements = file.elements.filter(({ stub }) => stub === null).length;
  const found = { planned, path: file.path, elements };
  if (markers.test(file.path)) return { ...found, share: 1, by: 'name' };
  if (expected !== null && expected > 0 && file.reading === 'parsed')
    return { ...found, share: Math.min(1, elements / expected), by: 'elements' };
  const bytes = Buffer.byteLength(file.code.replace(/\s+/gu, ''));
  const full = dataExtensions.has(extensionOf(file.path)) ? scale.data : scale.code;
  return { ...found, share: Math.min(1, bytes / Math.max(1, full)), by: 'size' };
}

/** Whether there is anything in it. */
export const isWritten = (file: CodeFile): boolean =>
  markers.test(file.path) || file.text.trim() !== '';
