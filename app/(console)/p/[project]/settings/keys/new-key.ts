/** Where a key that was just created waits for the empty project's command: this tab only, gone with it. */
export function newKeyName(project: string): string {
  return `assay:key:${project}`;
}
