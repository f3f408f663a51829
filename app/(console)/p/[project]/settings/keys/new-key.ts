import type { KeyScope } from '@/server/access/input';

/**
 * Keeps a newly created key, by scope, for the commands of empty pages: in this tab only, and until
 * the tab closes.
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
