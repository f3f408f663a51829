'use client';

import type { ReactNode } from 'react';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { figureId, useLinking } from './linking';
import type { PlaceMark } from './places';

/** A value in a source that figures stand on: leads back to the figure. */
export function PlaceLink({ mark, children }: { mark: PlaceMark; children: ReactNode }) {
  const { active, toFigure } = useLinking();
  const isActive = active !== null && mark.figures.includes(active);
  const numbers = mark.figures.map((figure) => figure + 1).join(', ');
  const noun = mark.figures.length === 1 ? 'figure' : 'figures';
  return (
    <a
      href={`#${figureId(mark.figures[0] ?? 0)}`}
      data-figures={mark.figures.join(' ')}
      onClick={(event) => {
        event.preventDefault();
        toFigure(mark.figures);
      }}
      className={`rounded-t-4 mx-0.5 px-0.5 [overflow-wrap:anywhere] [box-decoration-break:clone] ${mark.state === 'found' ? 'bg-pass-wash border-pass border-b' : 'bg-fail-wash border-fail border-b-2 border-dotted'} ${isActive ? 'ring-accent ring-1' : ''}`}
    >
      <span className="mr-1 inline-block align-[-1px]">
        <VerdictIcon state={mark.state === 'found' ? 'passed' : 'failed'} size={10} />
      </span>
      {children}
      <span className="sr-only">
        {mark.state === 'found' ? `, source of ${noun} ${numbers}, go back` : `, wrongly cited for ${noun} ${numbers}, go back`}
      </span>
    </a>
  );
}
