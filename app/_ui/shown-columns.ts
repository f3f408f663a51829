'use client';

import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** The part of a column that the choice needs. */
export interface ChoosableColumn {
  readonly id: string;
  readonly head: string;
  readonly from?: string;
}

const changed = 'assay:columns';
const keyOf = (name: string): string => `assay:columns:${name}`;

/** A column that is always shown cannot be chosen. */
export const isChoosable = ({ from }: ChoosableColumn): boolean => from !== undefined;

function subscribe(onChange: () => void): () => void {
  window.addEventListener(changed, onChange);
  window.addEventListener('storage', onChange);
  return () => {
    window.removeEventListener(changed, onChange);
    window.removeEventListener('storage', onChange);
  };
}

function readChoice(name: string | undefined): string | null {
  if (name === undefined) return null;
  try {
    return localStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
}

/** Stores the ids of the shown columns in this browser; null goes back to the usual columns. */
export function chooseColumns(name: string, ids: readonly string[] | null): void {
  try {
    if (ids === null) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), ids.join(' '));
  } catch {
    // Storage may be blocked: the usual columns stay.
  }
  window.dispatchEvent(new Event(changed));
}

/** The ids that the person chose for the list; null for the usual columns. */
export function useChosenColumns(name: string | undefined): readonly string[] | null {
  const text = useSyncExternalStore(
    subscribe,
    useCallback(() => readChoice(name), [name]),
    () => null,
  );
  return useMemo(() => (text === null ? null : text.split(' ').filter((id) => id !== '')), [text]);
}

/** The columns to render: chosen ones at any width, or the usual ones, each from its width on. */
export function useShownColumns<Some extends ChoosableColumn>(
  name: string | undefined,
  columns: readonly Some[],
): { readonly columns: readonly Some[]; readonly isChosen: boolean } {
  const chosen = useChosenColumns(name);
  return useMemo(
    () => ({
      columns: chosen === null ? columns : chosenOf(columns, chosen),
      isChosen: chosen !== null,
    }),
    [columns, chosen],
  );
}

export function chosenOf<Some extends ChoosableColumn>(
  columns: readonly Some[],
  ids: readonly string[],
): readonly Some[] {
  return columns
    .filter((column) => !isChoosable(column) || ids.includes(column.id))
    .map((column) => ({ ...column, from: '' }));
}
