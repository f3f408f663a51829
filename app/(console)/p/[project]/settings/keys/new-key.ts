import type { KeyScope } from '@/server/access/input';

/**
 * Keeps a newly created key, by scope, for the commands of empty pages: in this tab only, and until
 * the tab closes.
 */
const nameOf = (project: string, scope: KeyScope): string => `assay:key:${project}:${scope}`;
const newKeyEvent = 'assay:new-key';

export function storeNewKey(project: string, key: string, scopes: readonly KeyScope[]): void {
  for (const scope of scopes) sessionStorage.setItem(nameOf(project, scope), key);
  window.dispatchEvent(new Event(newKeyEvent));
}

export function findNewKey(project: string, scope: KeyScope): string | null {
  return sessionStorage.getItem(nameOf(project, scope));
}

/** @returns a function that unsubscribes */
export function onNewKey(listener: () => void): () => void {
  window.addEventListener(newKeyEvent, listener);
  return () => window.removeEventListener(newKeyEvent, listener);
}
