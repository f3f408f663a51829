import superjson from 'superjson';
import type { Ruled } from './desk-state';

/** What this person ruled on in this tab, so that a reload does not take away what can be taken back. It stays in the tab, and goes with it. */
const kept = 10;
const keyOf = (project: string, reader: string): string => `assay-review-${project}-${reader}`;

export function rememberRuled(project: string, reader: string, ruled: readonly Ruled[]): void {
  try {
    // What was not stored yet is not known to be ruled on: the server hands it out again if it is not.
    sessionStorage.setItem(keyOf(project, reader), superjson.stringify(ruled.filter(({ told }) => told !== null).slice(0, kept)));
  } catch {
    // A full or closed store costs the undo after a reload, nothing else.
  }
}

export function recallRuled(project: string, reader: string): readonly Ruled[] {
  try {
    const text = sessionStorage.getItem(keyOf(project, reader));
    if (text === null) return [];
    const ruled: readonly Ruled[] = superjson.parse(text);
    return Array.isArray(ruled) ? ruled : [];
  } catch {
    return [];
  }
}
