import { findFile } from '../patterns';
import { type CodeFile, extensionOf } from '../structure';

/** The completeness of a file (QEL-19). */
export interface FileCompleteness {
  /** As in the contract; null for an extra file. */
  readonly planned: string | null;
  /** The matched file; null if it is missing. */
  readonly path: string | null;
  /** 0..1. */
  readonly share: number;
  /** Counted elements, size, a file complete by its presence, or nothing to measure. */
  readonly by: 'elements' | 'size' | 'name' | 'missing';
  /** Real elements, without stubs. */
  readonly elements: number;
}

/**
 * Minimum bytes of a complete file if no count of elements is known: UTF-8, without blanks and
 * comments.
 */
export interface SizeScale {
  readonly code: number;
  /** For files of values and text: JSON, YAML, Markdown, package lists. */
  readonly data: number;
}

export const standardScale: SizeScale = { code: 80, data: 10 };

const dataExtensions = new Set(
  'json jsonc yaml yml toml ini cfg conf properties env md txt csv lock xml svg gitignore mod sum'.split(
    ' ',
  ),
);
/** Files that are complete by their presence. */
const markers =
  /(?:^|\/)(?:__init__\.py|py\.typed|\.git(?:keep|ignore)|\.npmignore|\.dockerignore|\.keep|mod\.rs)$/u;

/** One per file of the contract; if the contract names none, one per existing file. */
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

/** Whether the file has any content. */
export const isWritten = (file: CodeFile): boolean =>
  markers.test(file.path) || file.text.trim() !== '';
