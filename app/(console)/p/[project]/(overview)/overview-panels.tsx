'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { AlertBoard, Overview } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Age } from '@/app/_ui/moment';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel, Skeleton } from '@/app/_ui/panel';
import { filterQuery as receivedQuery } from '../received/filters';
import { boxWords } from '../settings/work/box-words';
import { filterQuery } from '../verdicts/filters';
import { VerdictTable } from '../verdicts/verdict-table';
import { CountLink } from './count-link';
import type { FirstHistory } from './history-panel';
import { NeedsPanel } from './needs-panel';
import { NumberTiles } from './number-tiles';
import { type Days, periodName, periods } from './period';
import { TrustPanel } from './trust-panel';

// Panels below the first screen are loaded separately.
const HistoryPanel = dynamic(() => import('./history-panel').then((module) => module.HistoryPanel));
const ChangePanels = dynamic(
  () => import('./change-panels').then((module) => module.ChangePanels),
  { loading: LoadingPanel, ssr: false },
);
const ModelTable = dynamic(() => import('./model-table').then((module) => module.ModelTable));

interface OverviewPanelsProps {
  project: string;
  days: Days;
  initial: Overview;
  /** Null when they could not be loaded. */
  alerts: AlertBoard | null;
  /** Null when it could not be loaded. */
  history: FirstHistory | null;
  mayAudit: boolean;
  /**
   * The setup steps, and the link that restores them after they were dismissed. Built by the page,
   * which has the whole project.
   */
  setup: { readonly panel: ReactNode; readonly again: ReactNode };
}

export function OverviewPanels({
  project,
  days,
  initial,
  alerts,
  history,
  mayAudit,
  setup,
}: OverviewPanelsProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.verdicts.overview.queryOptions(
    { project, days },
    { initialData: initial, placeholderData: keepPreviousData },
  );
  const { data, error, dataUpdatedAt, refetch } = useQuery(options);
  const live = useLive(
    project,
    () => {
      void client.invalidateQueries({ queryKey: options.queryKey });
      void client.invalidateQueries({ queryKey: trpc.review.counts.queryKey({ project }) });
      void client.invalidateQueries({ queryKey: trpc.setup.pathKey() });
      void client.invalidateQueries({ queryKey: trpc.charts.pathKey() });
    },
    3000,
  );
  // Loaded separately: a failure leaves the rest of the page intact.
  const countsOptions = trpc.review.counts.queryOptions({ project });
  const reviewCounts = useQuery(countsOptions);
  const judged = Object.values(data.outcomes).reduce((sum, count) => sum + count, 0);
  return (
    <PageBody>
      <PageHead
        title="Overview"
        sub={<JudgedLine project={project} overview={data} judged={judged} />}
      >
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
          works="The page shows the last loaded data; verification continues."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <NeedsPanel project={project} initial={alerts} />
      {setup.panel}
      <NumberTiles
        project={project}
        overview={data}
        reviewCounts={reviewCounts.data ?? (reviewCounts.isError ? null : undefined)}
      />
      <HistoryPanel project={project} days={days} initial={history} />
      <ChangePanels project={project} days={days} mayAudit={mayAudit} />
      <Panel
        title="Latest failed"
        aside={
          <Link
            href={`/p/${project}/verdicts?outcome=failed`}
            className="text-ink-2 hover:text-ink underline"
          >
            All failed verdicts
          </Link>
        }
      >
        {data.latestFailed.length > 0 ? (
          <VerdictTable
            label="Latest failed verdicts"
            rows={data.latestFailed}
            project={project}
            compact
          />
        ) : (
          <Empty title={`No verdict failed in this period.`} />
        )}
      </Panel>
      <TrustPanel project={project} />
      <ModelTable byModel={data.byModel} project={project} from={data.from} />
      <SandboxLine project={project} box={data.box} />
      {setup.again}
    </PageBody>
  );
}

function LoadingPanel() {
  return <Skeleton className="h-40" />;
}

/** How much of the received work has been judged: the numbers below cover only that part. */
function JudgedLine({
  project,
  overview: { waiting, turns, rejected, from },
  judged,
}: {
  project: string;
  overview: Overview;
  judged: number;
}) {
  const turnsName = turns === 1 ? 'turn received' : 'turns received';
  const received = (what: 'turns' | 'refused'): string =>
    `/p/${project}/received${receivedQuery({ what, from })}`;
  return (
    <>
      <CountLink
        count={judged}
        name="judged"
        href={`/p/${project}/verdicts${filterQuery({ from })}`}
      />{' '}
      of {(judged + waiting).toLocaleString('en')} judged;{' '}
      <CountLink count={waiting} name="waiting" href={`/p/${project}/settings/work`} /> waiting;{' '}
      <CountLink count={turns} name={turnsName} href={received('turns')} /> {turnsName}
      {rejected > 0 ? (
        <>
          , <CountLink count={rejected} name="rejected" href={received('refused')} /> more rejected
        </>
      ) : null}
    </>
  );
}

/**
 * Whether compilers and tests can run. Without a sandbox no code is checked, which must not go
 * unnoticed.
 */
function SandboxLine({
  project,
  box: { state, checkedAt },
}: {
  project: string;
  box: Overview['box'];
}) {
  const isBroken = state === 'missing' || state === 'failing';
  return (
    <p
      role={isBroken ? 'alert' : undefined}
      className={
        isBroken ? 'bg-loud border-loud-line text-ink rounded-4 border px-3 py-2' : 'text-ink-2'
      }
    >
      {boxWords[state]}{' '}
      {checkedAt === null || isBroken ? null : (
        <>
          Self-test <Age at={checkedAt} /> ago.{' '}
        </>
      )}
      <Link href={`/p/${project}/settings/work`} className="hover:text-ink underline">
        {isBroken ? 'Reason and fix' : 'Backlog'}
      </Link>
    </p>
  );
}
