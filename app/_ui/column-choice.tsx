'use client';

import { Columns3 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { buttonClass } from './button';
import type { ChoosableColumn } from './shown-columns';

export interface ColumnChoiceProps {
  /** The name under which the choice is kept. */
  name: string;
  columns: readonly ChoosableColumn[];
}

function Waiting() {
  return (
    <span className={buttonClass()}>
      <ChoiceText />
    </span>
  );
}

export function ChoiceText() {
  return (
    <>
      <Columns3 aria-hidden="true" size={14} /> Columns
    </>
  );
}

/** Chooses the columns of a list. It is loaded after the page's first scripts. */
export const ColumnChoice = dynamic<ColumnChoiceProps>(() => import('./column-choice-drawn'), {
  ssr: false,
  loading: Waiting,
});
