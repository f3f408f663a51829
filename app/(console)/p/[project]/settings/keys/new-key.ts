import type { Scope } from '@/server/access/input';

/**
 * Where a key that was just created waits for the commands of empty pages, by what it may do: this
 * tab only, gone with it.
 */
const nameOf = (project: string, scope: Scope): string => `assay:key:${project}:${scope}`;
const kept = 'assay:new-key';

export function keepNewKey(project: string, key: string, scopes: readonly Scope[]): void {
  for (const scope of scopes) sessionStorage.setItem(nameOf(project, scope), key);
  window.dispatchEvent(new Event(kept));
}

export function findNewKey(project: string, scope: Scope): string | null {
  return sessionStorage.getItem(nameOf(project, scope));
}

/** @returns what ends it */
export function onNewKey(hear: () => void): () => void {
  window.addEventListener(kept, hear);
  return () => window.removeEventListener(kept, hear);
}
