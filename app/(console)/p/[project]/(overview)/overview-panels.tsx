'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { AlertBoard, Overview } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { VerdictTable } from '../verdicts/verdict-table';
import { BoxLine } from './box-line';
import { ChangePanels } from './change-panels';
import { DayPanel } from './day-panel';
import { ModelTable } from './model-table';
import { NeedsPanel } from './needs-panel';
import { NumberTiles } from './number-tiles';
import { TrustPanel } from './trust-panel';
import { type Days, periodName, periods } from './period';

interface OverviewPanelsProps {
  project: string;
  days: Days;
  initial: Overview;
  /** Null where they could not be read. */
  alerts: AlertBoard | null;
  mayAudit: boolean;
}

export function OverviewPanels({ project, days, initial, alerts, mayAudit }: OverviewPanelsProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.verdicts.overview.queryOptions({ project, days }, { initialData: initial, placeholderData: keepPreviousData });
  const { data, error, dataUpdatedAt, refetch } = useQuery(options);
  const live = useLive(
    project,
    () => {
      void client.invalidateQueries({ queryKey: options.queryKey });
      void client.invalidateQueries({ queryKey: trpc.review.desk.queryKey({ project }) });
    },
    3000,
  );
  // Read apart: where the desk cannot be read, everything else stands.
  const deskOptions = trpc.review.desk.queryOptions({ project });
  const desk = useQuery(deskOptions);
  const judged = Object.values(data.outcomes).reduce((sum, count) => sum + count, 0);
  return (
    <PageBody>
      <PageHead title="Overview" sub={partText(data, judged)}>
        <div className="flex items-center gap-4">
          <LiveMark state={live} readAt={dataUpdatedAt} />
          <nav aria-label="Period" className="border-line bg-surface rounded-4 flex border">
            {periods.map((period) => (
              <Link
                key={period}
                href={`/p/${project}?days=${period}`}
                aria-current={period === days ? 'true' : undefined}
                aria-label={periodName[period]}
                className={`rounded-4 flex h-8 items-center px-3 ${period === days ? 'bg-accent-wash font-semibold' : 'text-ink-2 hover:bg-hover'}`}
              >
                {period === 1 ? 'Today' : `${period} days`}
              </Link>
            ))}
          </nav>
        </div>
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The numbers could not be refreshed"
          works="What you see is the last reading; verdicts are still being made."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <NeedsPanel project={project} initial={alerts} />
      <NumberTiles project={project} overview={data} desk={desk.data ?? (desk.isError ? null : undefined)} />
      <ChangePanels project={project} days={days} mayAudit={mayAudit} />
      <div className="grid items-start gap-4 2xl:grid-cols-2">
        <Panel
          title="Latest failed"
          aside={
            <Link href={`/p/${project}/verdicts?outcome=failed`} className="text-ink-2 hover:text-ink underline">
              All failed verdicts
            </Link>
          }
        >
          {data.latestFailed.length > 0 ? (
            <VerdictTable label="Latest failed verdicts" rows={data.latestFailed} project={project} compact />
          ) : (
            <Empty title={`No verdict failed in this period.`} />
          )}
        </Panel>
        <DayPanel byDay={data.byDay} />
      </div>
      <TrustPanel project={project} />
      <ModelTable byModel={data.byModel} project={project} from={data.from} />
      <BoxLine project={project} box={data.box} />
    </PageBody>
  );
}

/** On what part of the data everything below stands. */
function partText({ waiting, turns, rejected }: Overview, judged: number): string {
  const count = (value: number): string => value.toLocaleString('en');
  const received = `${count(turns)} turns received${rejected > 0 ? `, ${count(rejected)} more rejected` : ''}`;
  return `${count(judged)} of ${count(judged + waiting)} judged; ${count(waiting)} waiting; ${received}`;
}
