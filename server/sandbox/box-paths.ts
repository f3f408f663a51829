// Validates untrusted file names before they become paths inside a box.

const longestPath = 1_000;
const longestName = 255;

/**
 * @returns the fault of a path, as the end of a sentence; null if it is allowed below the box's
 *   folder
 */
export function faultOfPath(path: string): string | null {
  if (path === '') return 'must not be empty';
  if (!path.isWellFormed()) return 'is no valid text';
  if (Buffer.byteLength(path) > longestPath) return `is longer than ${longestPath} bytes`;
  if (path.startsWith('/')) return 'is absolute';
  // oxlint-disable-next-line no-control-regex -- matches control characters
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'must not contain a control character';
  if (path.includes('\\')) return 'contains a backslash';
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return `contains the part "${name}"`;
    if (Buffer.byteLength(name) > longestName) return `has a part longer than ${longestName} bytes`;
  }
  return null;
}

/**
 * @returns the first fault of a set of files as a sentence: an invalid path, a duplicate, or a file
 * that is also a folder; null if there is none
 */
export function faultOfPaths(paths: readonly string[]): string | null {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const fault = faultOfPath(path);
    if (fault !== null) return `The path ${JSON.stringify(path)} ${fault}.`;
    if (files.has(path)) return `The path ${JSON.stringify(path)} comes twice.`;
    files.add(path);
    for (const folder of foldersOf(path)) folders.add(folder);
  }
  const both = [...files].find((path) => folders.has(path));
  return both === undefined ? null : `The path ${JSON.stringify(both)} is a file and a folder.`;
}

/** @returns the folders that contain a file, outermost first */
export function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}
