'use client';

import { type RefObject, useEffect } from 'react';
import { recallList, rememberList } from './list-memory';

interface ListMemoryIn {
  /** Name of the list within this tab: `slug/traces`. */
  readonly name: string;
  readonly area: RefObject<HTMLElement | null>;
  /** In the order of the list; called when a row is opened. */
  readonly ids: () => readonly string[];
  /** Attribute of a row's link that contains its id. */
  readonly attribute?: 'data-row' | 'data-verdict';
}

/**
 * Restores the focus to a row on the way back from it. Returns a function to call when a row is
 * opened, which saves the list's filters and order.
 */
export function useListMemory({
  name,
  area,
  ids,
  attribute = 'data-row',
}: ListMemoryIn): (id: string) => void {
  useEffect(() => {
    const memory = recallList(name);
    if (!memory?.at || memory.search !== window.location.search) return;
    area.current?.querySelector<HTMLElement>(`[${attribute}="${CSS.escape(memory.at)}"]`)?.focus();
  }, [name, area, attribute]);
  return (id) => rememberList(name, { search: window.location.search, ids: [...ids()], at: id });
}
