import type { ReportHead } from '@/app/_trpc/outputs';

const words: Record<ReportHead['state'], string> = {
  waiting: 'Waiting for a worker',
  being_made: 'In progress',
  made: 'Created',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const isInProgress = ({ state }: Pick<ReportHead, 'state'>): boolean =>
  state === 'waiting' || state === 'being_made';

/** `In progress, 4 of 12 parts`, `Failed: The worker crashed 5 times without progress.`. */
export function stateText({
  state,
  done,
  total,
  reason,
}: Pick<ReportHead, 'state' | 'done' | 'total' | 'reason'>): string {
  const parts =
    state === 'being_made' && total !== null
      ? `, ${done.toLocaleString('en')} of ${total.toLocaleString('en')} parts`
      : '';
  return `${words[state]}${parts}${reason === null ? '' : `: ${reason}`}`;
}
