'use client';

import { useState } from 'react';
import { useKeys } from '@/app/_ui/keyboard';
import type { ReviewAnswer } from '@/server/labels/input';

interface ReviewKeys {
  /** `at`: milliseconds of the page's clock. */
  readonly onAnswer: (answer: ReviewAnswer, at: number) => void;
  readonly onGrade: (grade: number) => void;
  readonly onReason: () => void;
  readonly onSimilar: () => void;
  readonly onUndo: (at: number) => void;
  readonly onMove: (step: 1 | -1) => void;
  readonly onOpen: () => void;
}

const answers = ['pass', 'fail', 'unsure'] as const satisfies readonly ReviewAnswer[];

/** Elements that handle Enter themselves must keep doing so. */
const takesEnter = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, summary') !== null;

function moveMark(step: 1 | -1): void {
  const marks = [...document.querySelectorAll<HTMLElement>('[data-figure], [data-quote]')];
  const at = marks.findIndex((mark) => mark === document.activeElement);
  (at === -1 ? marks[step === 1 ? 0 : marks.length - 1] : marks[at + step])?.focus();
}

/**
 * The keys of the review page; `g` makes the next digit a grade.
 *
 * @returns whether `g` was pressed
 */
export function useReviewKeys(keys: ReviewKeys): boolean {
  const [isGrading, setGrading] = useState(false);
  const digit = (value: 1 | 2 | 3 | 4 | 5) => (event: KeyboardEvent) => {
    // A key that is pressed and held rules once, not on every following item.
    if (event.repeat) return;
    setGrading(false);
    if (isGrading) return keys.onGrade(value);
    const answer = answers[value - 1];
    if (answer !== undefined) keys.onAnswer(answer, event.timeStamp);
  };
  const plain = (action: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
    setGrading(false);
    // The letter must not be typed into the field that receives the focus.
    event.preventDefault();
    action(event);
  };
  const once = (action: (event: KeyboardEvent) => void) =>
    plain((event) => {
      if (!event.repeat) action(event);
    });
  useKeys({
    '1': digit(1),
    '2': digit(2),
    '3': digit(3),
    '4': digit(4),
    '5': digit(5),
    g: () => setGrading(true),
    r: once(keys.onReason),
    s: once(keys.onSimilar),
    u: once((event) => keys.onUndo(event.timeStamp)),
    j: plain(() => keys.onMove(1)),
    k: plain(() => keys.onMove(-1)),
    n: plain(() => moveMark(1)),
    p: plain(() => moveMark(-1)),
    Escape: () => setGrading(false),
    Enter: (event) => {
      if (!takesEnter(event.target)) once(keys.onOpen)(event);
    },
  });
  return isGrading;
}
