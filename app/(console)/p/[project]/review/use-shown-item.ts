'use client';

import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { announce } from '@/app/_ui/announcer';
import type { ReviewAnswer } from '@/server/labels/input';
import { isTooSoon } from './early-key-guard';

interface ShownItemInput {
  /** The shown item. */
  readonly item: string | null;
  /** Its content has been loaded. */
  readonly isReadable: boolean;
  readonly isUndoing: boolean;
  /** It accepts a ruling. */
  readonly isReady: boolean;
  readonly onAnswer: (answer: ReviewAnswer) => void;
}

interface ShownItem {
  /** `at`: milliseconds of the page's clock, as in `event.timeStamp`. */
  readonly isTooSoon: (at: number) => boolean;
  readonly answer: (answer: ReviewAnswer, at: number) => void;
}

/**
 * A key rules on the shown item and no other: not on one that has only just appeared, and on one
 * with an undo in flight only once the undo is stored.
 */
export function useShownItem({
  item,
  isReadable,
  isUndoing,
  isReady,
  onAnswer,
}: ShownItemInput): ShownItem {
  const since = useRef<number | null>(null);
  const waiting = useRef<{ readonly item: string; readonly answer: ReviewAnswer } | null>(null);
  // Set before the item is painted, so that no reader has seen it before.
  useLayoutEffect(() => void (since.current = performance.now()), [item, isReadable]);
  const giveWaiting = useEffectEvent(() => {
    const pending = waiting.current;
    if (pending?.item === item && (isUndoing || !isReady)) return;
    waiting.current = null;
    // No ruling if the undo failed, or if others settled the item or the reader left it in the
    // meantime.
    if (pending !== null && pending.item === item) onAnswer(pending.answer);
  });
  useEffect(() => giveWaiting(), [item, isUndoing, isReady]);
  const isSoon = (at: number): boolean => isTooSoon(since.current, at);
  return {
    isTooSoon: isSoon,
    answer: (answer, at) => {
      if (item === null || isSoon(at)) return;
      if (isUndoing) {
        waiting.current = { item, answer };
        announce('It is stored once the undo is complete');
      } else if (isReady) onAnswer(answer);
    },
  };
}
