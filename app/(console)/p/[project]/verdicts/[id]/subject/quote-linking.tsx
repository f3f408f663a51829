'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

/** Links between a score and the passages that it quotes. */
interface QuoteLinking {
  /** The score that was followed last. */
  readonly active: number | null;
  /** Goes to the passage of `ref` (`output:12-40`), or to the score's first one. */
  readonly toQuote: (score: number, ref: string) => void;
  readonly toScore: (scores: readonly number[]) => void;
}

const Context = createContext<QuoteLinking>({
  active: null,
  toQuote: () => undefined,
  toScore: () => undefined,
});

export const scoreId = (score: number) => `score-${score}`;

function reveal(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'center', inline: 'nearest' });
}

export function QuoteLinkingProvider({ children }: { children: ReactNode }) {
  const [active, setActive] = useState<number | null>(null);
  const linking = useMemo<QuoteLinking>(
    () => ({
      active,
      toQuote: (score, ref) => {
        setActive(score);
        const place = ref.replace(/-\d+$/, '');
        const marks = [...document.querySelectorAll<HTMLElement>(`[data-scores~="${score}"]`)];
        reveal(marks.find(({ dataset }) => dataset['quote'] === place) ?? marks[0]);
      },
      toScore: (scores) => {
        const score = active !== null && scores.includes(active) ? active : (scores[0] ?? 0);
        setActive(score);
        reveal(document.getElementById(scoreId(score)));
      },
    }),
    [active],
  );
  return <Context value={linking}>{children}</Context>;
}

export function useQuoteLinking(): QuoteLinking {
  return useContext(Context);
}
