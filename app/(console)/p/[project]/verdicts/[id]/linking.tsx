'use client';

import type { SourcePlace } from '@/server/domain';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

/** Links between a figure in the answer, its line in the evidence and its place in the sources. */
interface Linking {
  /** The figure that was followed last; its three places are highlighted together. */
  readonly active: number | null;
  /** Goes to the figure's first place, or to the given one. */
  readonly toSource: (figure: number, place?: SourcePlace) => void;
  readonly toFigure: (figures: readonly number[]) => void;
}

const LinkingContext = createContext<Linking>({
  active: null,
  toSource: () => undefined,
  toFigure: () => undefined,
});

export const figureId = (figure: number) => `figure-${figure}`;
export const evidenceId = (figure: number) => `evidence-${figure}`;

function reveal(element: HTMLElement | null): boolean {
  if (!element) return false;
  openFolds(element);
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'center', inline: 'nearest' });
  return true;
}

/** A place in a fold cannot be seen or focused until the fold is open. */
function openFolds(element: HTMLElement): void {
  for (
    let fold = element.closest('details');
    fold !== null;
    fold = fold.parentElement?.closest('details') ?? null
  )
    fold.open = true;
}

function show(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

export function LinkingProvider({ children }: { children: ReactNode }) {
  const [active, setActive] = useState<number | null>(null);
  const linking = useMemo<Linking>(
    () => ({
      active,
      toSource: (figure, target) => {
        setActive(figure);
        const evidence = document.getElementById(evidenceId(figure));
        const places = [...document.querySelectorAll<HTMLElement>(`[data-figures~="${figure}"]`)];
        const place =
          places.find(
            ({ dataset }) => dataset['source'] === target?.id && dataset['path'] === target?.path,
          ) ?? places[0];
        // A figure without a place links to the line with the reason.
        if (!place) reveal(evidence);
        else {
          show(evidence);
          reveal(place);
        }
      },
      toFigure: (figures) => {
        const figure = active !== null && figures.includes(active) ? active : (figures[0] ?? 0);
        setActive(figure);
        show(document.getElementById(evidenceId(figure)));
        reveal(document.getElementById(figureId(figure)));
      },
    }),
    [active],
  );
  return <LinkingContext value={linking}>{children}</LinkingContext>;
}

export function useLinking(): Linking {
  return useContext(LinkingContext);
}
