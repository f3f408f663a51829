import type { KeyScope } from '@/server/access/input';

/**
 * A newly created key is kept for the commands of empty pages, by its scope: in this tab only, and
 * gone with it.
 */
const nameOf = (project: string, scope: KeyScope): string => `assay:key:${project}:${scope}`;
const kept = 'assay:new-key';

export function keepNewKey(project: string, key: string, scopes: readonly KeyScope[]): void {
  for (const scope of scopes) sessionStorage.setItem(nameOf(project, scope), key);
  window.dispatchEvent(new Event(kept));
}

export function findNewKey(project: string, scope: KeyScope): string | null {
  return sessionStorage.getItem(nameOf(project, scope));
}

/** @returns a function that unsubscribes */
export function onNewKey(hear: () => void): () => void {
  window.addEventListener(kept, hear);
  return () => window.removeEventListener(kept, hear);
}
