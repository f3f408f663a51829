import Link from 'next/link';
import type { TraceTurn } from '@/app/_trpc/outputs';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block } from '../../verdicts/[id]/block';
import { lookOf, wordOf, worstOf } from '../mark-looks';

/** Turns that name the trace and were sent on their own, not as spans. */
export function LooseTurns({ project, turns }: { project: string; turns: readonly TraceTurn[] }) {
  const loose = turns.filter((turn) => turn.spanId === null);
  if (loose.length === 0) return null;
  return (
    <Block title={`Turns sent for this trace (${loose.length.toLocaleString('en')})`}>
      <ul className="grid gap-1">
        {loose.slice(0, 500).map((turn) => {
          const worst = worstOf(turn.marks.map((mark) => mark.state));
          return (
            <li key={turn.id} className="flex min-w-0 items-center gap-2">
              {worst === null ? null : <VerdictIcon state={lookOf(worst)} />}
              <span className="shrink-0">{worst === null ? 'No verdict' : wordOf(worst)}</span>
              <Link
                href={`/p/${project}/turns/${encodeURIComponent(turn.id)}`}
                className="text-12 min-w-0 truncate font-mono underline"
              >
                <VisibleText text={turn.id} />
              </Link>
            </li>
          );
        })}
      </ul>
    </Block>
  );
}
