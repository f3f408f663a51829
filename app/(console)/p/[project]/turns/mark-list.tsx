import Link from 'next/link';
import type { TurnMark } from '@/app/_trpc/outputs';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { VisibleText } from '@/app/_ui/visible-text';
import { figuresText } from '../traces/mark-styles';

interface MarkListProps {
  project: string;
  marks: readonly TurnMark[];
  /** The turn's revision: a verdict on an earlier one is marked so. */
  revision: number;
}

/** The verdict of each verifier on a turn, each linking to its page. */
export function MarkList({ project, marks, revision }: MarkListProps) {
  return (
    <ul className="grid gap-2">
      {marks.map((mark) => (
        <li key={mark.verdictId} className="grid min-w-0 gap-0.5">
          <p className="flex flex-wrap items-baseline justify-between gap-x-2">
            <Link
              href={`/p/${project}/verdicts/${encodeURIComponent(mark.verdictId)}`}
              className="font-semibold underline"
            >
              <VerdictBadge {...mark} outcome={mark.state} />
            </Link>
            <code className="text-12 text-ink-3 font-mono [overflow-wrap:anywhere]">
              <VisibleText text={mark.verifier} />
            </code>
          </p>
          <p className="text-12 text-ink-3">{markText(mark, revision)}</p>
        </li>
      ))}
    </ul>
  );
}

function markText(mark: TurnMark, revision: number): string {
  const earlier = mark.revision < revision ? `about revision ${mark.revision} of ${revision}` : '';
  const waiting =
    mark.state === 'pending'
      ? 'waiting for a worker'
      : mark.state === 'quarantined'
        ? 'quarantined after repeated failures'
        : '';
  return [figuresText(mark) ?? '', waiting, earlier].filter(Boolean).join(', ');
}
