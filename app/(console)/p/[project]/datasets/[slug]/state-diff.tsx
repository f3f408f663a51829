'use client';

import { useMemo } from 'react';
import type { DatasetItem } from '@/app/_trpc/outputs';
import { Empty } from '@/app/_ui/panel';
import { diffLines } from '../../prompts/[slug]/diff-lines';
import { DiffTable } from '../../prompts/[slug]/diff-table';
import { stateText } from '../item-text';

interface StateDiffProps {
  before: DatasetItem | null;
  after: DatasetItem | null;
  label: string;
}

/** The difference of two states of an item; null if the item did not exist. */
export function StateDiff({ before, after, label }: StateDiffProps) {
  const lines = useMemo(
    () =>
      diffLines(
        before === null ? '' : stateText(before),
        after === null ? '' : stateText(after),
      ).filter(({ before: a, after: b, pieces }) => {
        // The empty text of a missing state has one empty line.
        const isEmpty = pieces.every(({ text }) => text === '');
        return !(isEmpty && ((before === null && b === null) || (after === null && a === null)));
      }),
    [before, after],
  );
  if (lines.every(({ state }) => state === 'same')) return <Empty title="They are the same." />;
  return <DiffTable lines={lines} label={label} />;
}
