'use client';

import type { RefObject } from 'react';
import { useKeys } from '@/app/_ui/keyboard';

/**
 * j and k move the focus from row to row; Enter then opens, since the focus is on the row's link.
 * `onMove` receives the new row.
 */
export function useRowKeys(
  area: RefObject<HTMLElement | null>,
  rows = '[data-verdict]',
  onMove?: (row: HTMLElement) => void,
): void {
  const move = (step: 1 | -1) => {
    const links = [...(area.current?.querySelectorAll<HTMLElement>(rows) ?? [])];
    const at = links.findIndex((link) => link === document.activeElement);
    const target = at === -1 ? links[step === 1 ? 0 : links.length - 1] : links[at + step];
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
    if (target) onMove?.(target);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    '/': (event) => {
      event.preventDefault();
      document.querySelector<HTMLInputElement>('input[type="search"]')?.focus();
    },
  });
}
