import Link from 'next/link';
import type { Overview, ReviewCounts } from '@/app/_trpc/outputs';
import { Empty, Panel } from '@/app/_ui/panel';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import type { VerdictState } from '@/app/_ui/verdict-styles';
import { filterQuery } from '../verdicts/filters';
import { VerdictTable } from '../verdicts/verdict-table';

interface Task {
  readonly name: string;
  /** Null if unknown, which is not zero; undefined while loading. */
  readonly value: number | null | undefined;
  readonly href: string;
  readonly mark: VerdictState | null;
}

interface WorkPanelProps {
  project: string;
  overview: Overview;
  /** Null when it could not be loaded, undefined while loading. */
  reviewCounts: ReviewCounts | null | undefined;
}

/** Work for people: items that wait for a ruling, and the latest failures. */
export function WorkPanel({ project, overview, reviewCounts }: WorkPanelProps) {
  return (
    <Panel
      title="Work"
      aside={
        <ul aria-label="Work" className="flex flex-wrap gap-x-4 gap-y-1">
          {tasksOf(project, overview, reviewCounts).map(({ name, value, href, mark }) => (
            <li key={name}>
              <Link
                href={href}
                data-counts={value ?? undefined}
                className="text-ink-2 hover:text-ink inline-flex items-center gap-1.5 underline"
              >
                {mark === null ? null : <VerdictIcon state={mark} size={12} />}
                <span>
                  {value === undefined ? (
                    <>
                      <span aria-hidden="true">…</span>
                      <span className="sr-only">loading</span>
                    </>
                  ) : value === null ? (
                    <span title="Currently unknown">?</span>
                  ) : (
                    value.toLocaleString('en')
                  )}{' '}
                  {name}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      }
    >
      {overview.latestFailed.length > 0 ? (
        <VerdictTable
          label="Latest failed verdicts"
          rows={overview.latestFailed}
          project={project}
          compact
        />
      ) : (
        <Empty title="No verdict failed in this period." />
      )}
    </Panel>
  );
}

function tasksOf(
  project: string,
  { outcomes, from }: Overview,
  reviewCounts: ReviewCounts | null | undefined,
): Task[] {
  const rows = `/p/${project}/verdicts`;
  const review = `/p/${project}/review`;
  return [
    {
      name: 'to review',
      value: reviewCounts === null ? null : reviewCounts?.open,
      mark: 'needs_review',
      href: review,
    },
    {
      name: 'contested',
      value: reviewCounts === null ? null : reviewCounts?.byQueue.contested,
      mark: null,
      href: `${review}?queue=contested`,
    },
    {
      name: 'not decided',
      value: outcomes.needs_review + outcomes.inconclusive,
      mark: 'inconclusive',
      href: rows + filterQuery({ outcome: ['needs_review', 'inconclusive'], from }),
    },
    {
      name: 'failed',
      value: outcomes.failed,
      mark: 'failed',
      href: rows + filterQuery({ outcome: ['failed'], from }),
    },
  ];
}
