'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { LiveMark } from '@/app/(console)/live-state';
import { may } from '@/app/(console)/pages';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type {
  GatewayRoute,
  GatewaySessionPage,
  GatewaySummary,
  Project,
  SteeringMeasure,
} from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ErrorPanel } from '@/app/_ui/panel';
import { type Days, filterQuery, periodName, periodParsers, periods } from '../filters';
import { NeedsPanel } from './needs-panel';
import { NumberTiles } from './number-tiles';
import { RoutePanel } from './route-panel';
import { SessionList } from './session-list';
import { SharePanel } from './share-panel';

// Panels below the first screen.
const DayPanels = dynamic(() => import('./day-panels').then((module) => module.DayPanels));
const SteeringPanel = dynamic(() =>
  import('./steering-panel').then((module) => module.SteeringPanel),
);

interface GatewayViewProps {
  project: Project;
  firstDays: Days;
  /** The data of the first render. */
  first: {
    readonly summary: GatewaySummary;
    readonly steering: SteeringMeasure;
    readonly routes: readonly GatewayRoute[];
    readonly sessions: GatewaySessionPage;
  };
}

/**
 * Events report calls, but not that a circuit may retry or that the period moves on: poll for
 * those.
 */
const readAgainMs = 30_000;

export function GatewayView({ project, firstDays, first }: GatewayViewProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { slug } = project;
  const [{ days }] = useQueryStates(periodParsers, { history: 'push' });
  const isFirst = days === firstDays;
  const often = { placeholderData: keepPreviousData, refetchInterval: readAgainMs };
  const summary = useQuery(
    trpc.gateway.summary.queryOptions(
      { project: slug, days },
      { ...(isFirst && { initialData: first.summary }), ...often },
    ),
  );
  const steering = useQuery(
    trpc.gateway.steering.queryOptions(
      { project: slug, days },
      { ...(isFirst && { initialData: first.steering }), ...often },
    ),
  );
  const routes = useQuery(
    trpc.gateway.routes.queryOptions({ project: slug }, { initialData: [...first.routes] }),
  );
  const live = useLive(
    slug,
    () => {
      for (const queryKey of [trpc.gateway.pathKey(), trpc.charts.pathKey()])
        void client.invalidateQueries({ queryKey });
    },
    3000,
  );
  const error = summary.error ?? steering.error ?? routes.error;
  const data = summary.data ?? first.summary;
  return (
    <PageBody>
      <PageHead
        title="Gateway"
        sub="Model calls through the gateway: verified, steered and delivered answers."
      >
        <div className="flex flex-wrap items-center gap-4">
          <LiveMark state={live} readAt={summary.dataUpdatedAt} />
          <Link
            href={`/p/${slug}/gateway/calls${filterQuery({ from: data.from })}`}
            className="text-ink-2 hover:text-ink underline"
          >
            All calls
          </Link>
          <PeriodNav project={slug} days={days} />
        </div>
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The gateway’s numbers could not be refreshed"
          works="The page shows the last loaded data; calls still go through the gateway."
          problem={problemOf(error)}
          onRetry={() => void client.invalidateQueries({ queryKey: trpc.gateway.pathKey() })}
        />
      ) : null}
      <NeedsPanel project={project} breakers={data.breakers} />
      <NumberTiles project={slug} summary={data} />
      <SharePanel project={slug} summary={data} />
      <RoutePanel
        project={slug}
        routes={routes.data}
        summary={data}
        mayWrite={may(project, 'settings.write')}
      />
      <SteeringPanel
        project={slug}
        measure={steering.data ?? first.steering}
        routes={routes.data}
      />
      <DayPanels
        project={slug}
        days={days}
        from={data.from}
        steering={steering.data ?? first.steering}
        everyMs={readAgainMs}
      />
      <SessionList project={slug} first={first.sessions} routes={routes.data} />
    </PageBody>
  );
}

function PeriodNav({ project, days }: { project: string; days: Days }) {
  return (
    <nav aria-label="Period" className="border-line bg-surface rounded-4 flex border">
      {periods.map((period) => (
        <Link
          key={period}
          href={`/p/${project}/gateway?days=${period}`}
          aria-current={period === days ? 'true' : undefined}
          className={`rounded-4 flex h-8 items-center px-3 ${period === days ? 'bg-accent-wash font-semibold' : 'text-ink-2 hover:bg-hover'}`}
        >
          {periodName[period]}
        </Link>
      ))}
    </nav>
  );
}
