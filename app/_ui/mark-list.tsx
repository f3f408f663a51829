import Link from 'next/link';
import type { MarkGroup } from './chart-marks';
import { VisibleText } from './visible-text';

/** The changes, by the numbers at the chart's lines; each links to the page that shows it. */
export function MarkList({ groups, isCut }: { groups: readonly MarkGroup[]; isCut: boolean }) {
  if (groups.length === 0) return null;
  return (
    <div className="text-12 grid gap-1 pt-2">
      <ol aria-label="Changes marked in the chart" className="flex flex-wrap gap-x-4 gap-y-1">
        {groups.map(({ number, marks }) => (
          <li key={number} className="flex gap-x-2">
            <span aria-hidden="true" className="text-ink-2 font-semibold">
              {number}
            </span>
            <span className="flex min-w-0 flex-wrap gap-x-3">
              {marks.map(({ id, at, text, href }) => (
                <span key={id} className="min-w-0 [overflow-wrap:anywhere]">
                  <span className="text-ink-3">
                    {at.toISOString().slice(5, 16).replace('T', ' ')}
                  </span>{' '}
                  {href === null ? (
                    <VisibleText text={text} />
                  ) : (
                    <Link href={href} prefetch={false} className="underline">
                      <VisibleText text={text} />
                    </Link>
                  )}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
      {isCut ? <p className="text-ink-3">The newest changes; the audit log has all.</p> : null}
    </div>
  );
}
