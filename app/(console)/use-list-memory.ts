'use client';

import { type RefObject, useEffect } from 'react';
import { recallList, rememberList } from './list-memory';

interface ListMemoryIn {
  /** Of the list, within this tab: `slug/traces`. */
  readonly name: string;
  readonly area: RefObject<HTMLElement | null>;
  /** In the order of the list; asked for when a row is opened. */
  readonly ids: () => readonly string[];
  /** Of a row's link, with its id. */
  readonly attribute?: 'data-row' | 'data-verdict';
}

/**
 * On the way back from a row the focus returns to it. Gives what notes that one is opened, with the
 * list's filters and order.
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
