/** The name of a version in a sentence; null is the text in the editor. */
export function textName(version: number | null): string {
  if (version === null) return 'the editor';
  return version === 0 ? 'the release' : `version ${version}`;
}
