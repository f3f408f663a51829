import type { SessionRow } from '@/app/_trpc/outputs';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { countsText, worstOf } from '../traces/mark-styles';
import { shownState } from '@/app/_ui/verdict-styles';

/**
 * QEL-43: the points of the latest code, with the mark of its verdict: the same points may pass in
 * one tier and fail in another.
 */
export function CodeBadge({ code }: { code: SessionRow['code'] }) {
  if (code === null) return null;
  return (
    <span
      className="text-12 text-ink-2 inline-flex items-center gap-1 whitespace-nowrap"
      title="Code verification"
    >
      <VerdictIcon state={code.outcome} size={12} />
      QEL {code.points ?? 'no points'}
    </span>
  );
}

/**
 * QEL-4: the work was done by an agent that verifies nothing, and none of its files were sent for
 * verification.
 */
export function ExternalBadge({ agent }: { agent: SessionRow['external'] }) {
  if (agent === null) return null;
  return (
    <span
      className="text-12 text-ink-2 border-line inline-flex items-center rounded border px-1 whitespace-nowrap"
      title={`${agent} produced this work, and none of its files were sent for verification.`}
    >
      external - not QEL-verified
    </span>
  );
}

/** The worst verdict on a session's turns, with the counts of all. */
export function SessionMark({ row }: { row: Pick<SessionRow, 'marks' | 'turns' | 'code'> }) {
  const worst = worstOf(row.marks.map(({ state }) => state));
  if (worst === null)
    return (
      <span className="text-ink-3 block truncate">
        {row.turns > 0 ? 'No verdict' : row.code === null ? 'No turns' : 'Code only'}
      </span>
    );
  const text = countsText(row.marks);
  return (
    <span className="flex min-w-0 items-center gap-2" title={text}>
      <VerdictIcon state={shownState(worst)} />
      <span className="truncate">{text}</span>
    </span>
  );
}
