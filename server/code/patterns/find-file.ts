/**
 * The file that a path of the contract names: itself, else the one that ends so, as
 * `convex/index.ts` stands for `index.ts`, or of which it is the end. Of several the one nearest to
 * the root. Null where there is none.
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
