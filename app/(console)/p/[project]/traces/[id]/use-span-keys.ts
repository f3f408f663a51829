'use client';

import { useRouter } from 'next/navigation';
import type { RefObject } from 'react';
import { useKeys } from '@/app/_ui/keyboard';
import { recallList } from '@/app/(console)/list-memory';
import { hasChildren, parentOf, type TreeRow } from './visible-rows';

interface SpanKeys {
  readonly project: string;
  readonly rows: readonly TreeRow[];
  readonly shown: readonly number[];
  readonly folded: ReadonlySet<string>;
  readonly selected: string | null;
  readonly tree: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLElement | null>;
  readonly select: (id: string) => void;
  readonly fold: (id: string, fold: boolean) => void;
}

/**
 * j and k (or the arrows) move through the tree, left and right collapse and expand, Enter moves
 * into the content, Escape back out.
 */
export function useSpanKeys({
  project,
  rows,
  shown,
  folded,
  selected,
  tree,
  content,
  select,
  fold,
}: SpanKeys): void {
  const router = useRouter();
  const focusSelected = () =>
    tree.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  const goTo = (index: number | null | undefined) => {
    const row = index === null || index === undefined ? undefined : rows[index];
    if (row === undefined) return;
    select(row.id);
    // A row that is not rendered yet is available after the next paint.
    requestAnimationFrame(() => {
      const line = tree.current?.querySelector<HTMLElement>(`[data-span="${row.id}"]`);
      line?.focus({ preventScroll: true });
      line?.scrollIntoView({ block: 'nearest' });
    });
  };
  const at = shown.findIndex((index) => rows[index]?.id === selected);
  const move = (step: 1 | -1) => goTo(shown[at === -1 ? 0 : at + step]);
  const inTree = () => tree.current?.contains(document.activeElement) === true;
  const byArrow = (step: 1 | -1) => (event: KeyboardEvent) => {
    if (!inTree()) return;
    event.preventDefault();
    move(step);
  };
  const sideways = (isLeft: boolean) => (event: KeyboardEvent) => {
    const index = shown[at];
    if (index === undefined || selected === null || !inTree()) return;
    event.preventDefault();
    const isOpen = hasChildren(rows, index) && !folded.has(selected);
    if (isLeft) {
      if (isOpen) fold(selected, true);
      else goTo(parentOf(rows, index));
    } else if (folded.has(selected)) fold(selected, false);
    else if (isOpen) goTo(index + 1);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: byArrow(1),
    ArrowUp: byArrow(-1),
    ArrowLeft: sideways(true),
    ArrowRight: sideways(false),
    Enter: (event) => {
      if (!inTree()) return;
      event.preventDefault();
      content.current?.focus();
    },
    Escape: () => {
      if (content.current?.contains(document.activeElement)) focusSelected();
      else router.push(`/p/${project}/traces${recallList(`${project}/traces`)?.search ?? ''}`);
    },
  });
}
