'use client';

import dynamic from 'next/dynamic';
import { buttonClass } from './button';
import { ColumnChoiceText } from './column-choice-text';
import type { ChoosableColumn } from './shown-columns';

export interface ColumnChoiceProps {
  /** The name under which the choice is kept. */
  name: string;
  columns: readonly ChoosableColumn[];
}

function Waiting() {
  return (
    <span className={buttonClass()}>
      <ColumnChoiceText />
    </span>
  );
}

/** Chooses the columns of a list. It is loaded after the page's first scripts. */
export const ColumnChoice = dynamic<ColumnChoiceProps>(() => import('./column-choice-impl'), {
  ssr: false,
  loading: Waiting,
});
