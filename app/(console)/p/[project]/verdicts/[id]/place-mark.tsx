'use client';

import type { ReactNode } from 'react';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { figureId, useLinking } from './linking';
import type { PlaceMark, PlaceState } from './places';

const backgroundClass: Record<PlaceState, string> = {
  found: 'bg-pass-wash border-pass border-b',
  misplaced: 'bg-fail-wash border-fail border-b-2 border-dotted',
  expected: 'bg-sunken border-ink-3 border-b-2 border-dashed',
  operand: 'bg-sunken border-ink-3 border-b',
  cited: 'bg-fail-wash border-fail border-b-2 border-dotted',
};

/** Words before the figures' numbers. */
const relations: Record<PlaceState, string> = {
  found: 'source of',
  misplaced: 'only holds the value of',
  expected: 'meant by the sentence of',
  operand: 'part of the calculation of',
  cited: 'wrongly cited for',
};

/** A value in a source that belongs to a figure: links back to it. */
export function PlaceLink({ mark, children }: { mark: PlaceMark; children: ReactNode }) {
  const { active, toFigure } = useLinking();
  const isActive = active !== null && mark.figures.includes(active);
  const numbers = mark.figures.map((figure) => figure + 1).join(', ');
  const noun = mark.figures.length === 1 ? 'figure' : 'figures';
  return (
    <a
      href={`#${figureId(mark.figures[0] ?? 0)}`}
      data-figures={mark.figures.join(' ')}
      data-source={mark.id}
      data-path={mark.path}
      onClick={(event) => {
        event.preventDefault();
        toFigure(mark.figures);
      }}
      className={`rounded-t-4 mx-0.5 px-0.5 [overflow-wrap:anywhere] [box-decoration-break:clone] ${backgroundClass[mark.state]} ${isActive ? 'ring-accent ring-1' : ''}`}
    >
      {mark.state === 'expected' || mark.state === 'operand' ? null : (
        <span className="mr-1 inline-block align-[-1px]">
          <VerdictIcon state={mark.state === 'found' ? 'passed' : 'failed'} size={10} />
        </span>
      )}
      {children}
      <span className="sr-only">{`, ${relations[mark.state]} ${noun} ${numbers}, go back`}</span>
    </a>
  );
}
