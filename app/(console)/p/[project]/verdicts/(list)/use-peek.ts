'use client';

import { parseAsString, useQueryState } from 'nuqs';
import type { RefObject } from 'react';
import { announce } from '@/app/_ui/announcer';
import { useKeys } from '@/app/_ui/keyboard';

export interface Peek {
  /** Id of the verdict whose panel is open. */
  readonly id: string | null;
  readonly open: (id: string) => void;
  readonly close: () => void;
  /** The panel follows the focused row. */
  readonly follow: (row: HTMLElement) => void;
}

/**
 * The panel next to the list, in the URL as `peek`: Space opens and closes it for the focused row,
 * Escape closes it, Enter opens the verdict's page.
 */
export function usePeek(area: RefObject<HTMLElement | null>): Peek {
  const [id, setId] = useQueryState('peek', parseAsString);
  const rowOf = (verdict: string) =>
    area.current?.querySelector<HTMLElement>(`[data-verdict="${CSS.escape(verdict)}"]`) ?? null;
  const close = () => {
    if (id === null) return;
    void setId(null);
    rowOf(id)?.focus();
  };
  const open = (verdict: string) => {
    if (id === null) announce('Peek opened; Escape closes it');
    void setId(verdict);
    rowOf(verdict)?.focus({ preventScroll: true });
  };
  const follow = ({ dataset }: HTMLElement) => {
    const verdict = dataset['verdict'];
    if (id !== null && verdict !== undefined && verdict !== id) void setId(verdict);
  };
  const onSpace = (event: KeyboardEvent) => {
    const verdict =
      document.activeElement instanceof HTMLElement
        ? document.activeElement.dataset['verdict']
        : undefined;
    if (verdict === undefined) return;
    event.preventDefault();
    if (verdict === id) close();
    else open(verdict);
  };
  useKeys({
    ' ': onSpace,
    Escape: close,
    Enter: () => {
      if (id !== null && document.activeElement === document.body) rowOf(id)?.click();
    },
  });
  return { id, open, close, follow };
}
