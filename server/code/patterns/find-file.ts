/**
 * The file that a path of the contract names: the same path, else a file whose path ends with it
 * (`convex/index.ts` for `index.ts`) or that it ends with. Of several the one nearest to the root.
 * Null if there is none.
 */
export function findFile<File extends { readonly path: string }>(
  files: readonly File[],
  wanted: string,
): File | null {
  const path = wanted.replace(/^(?:\.?\/)+/u, '');
  const exact = files.find((file) => file.path === path);
  if (exact !== undefined) return exact;
  const ending = files.filter(
    (file) => file.path.endsWith(`/${path}`) || path.endsWith(`/${file.path}`),
  );
  return (
    ending.sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1))[0] ?? null
  );
}
