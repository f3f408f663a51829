import type { SessionRow } from '@/app/_trpc/outputs';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { countsText, lookOf, worstOf } from '../traces/mark-looks';

/** The worst verdict on a session's turns, with the counts of all. */
export function SessionMark({ row }: { row: Pick<SessionRow, 'marks' | 'turns'> }) {
  const worst = worstOf(row.marks.map(({ state }) => state));
  if (worst === null) return <span className="text-ink-3 block truncate">{row.turns === 0 ? 'No turns' : 'No verdict'}</span>;
  const text = countsText(row.marks);
  return (
    <span className="flex min-w-0 items-center gap-2" title={text}>
      <VerdictIcon state={lookOf(worst)} />
      <span className="truncate">{text}</span>
    </span>
  );
}
