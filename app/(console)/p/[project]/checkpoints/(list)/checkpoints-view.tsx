'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { CheckpointsSummary, PipelinePage, Project } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ErrorPanel } from '@/app/_ui/panel';
import {
  type Days,
  type Filters,
  filterParsers,
  filterQuery,
  isFiltered,
  listInput,
  periodName,
  periods,
} from '../filters';
import { CostPanel } from './cost-panel';
import { FirstPipeline } from './first-pipeline';
import { PipelineList } from './pipeline-list';
import { RetryPanel } from './retry-panel';
import { ScorePanel } from './score-panel';
import { SplitPanel } from './split-panel';

interface CheckpointsViewProps {
  project: Project;
  initial: CheckpointsSummary;
  firstDays: Days;
  first: PipelinePage;
  /** The filters that `first` was loaded with. */
  firstFilters: Filters;
}

/** SOAR-32: results of the checkpoints of all pipelines, and the list of pipelines. */
export function CheckpointsView({
  project,
  initial,
  firstDays,
  first,
  firstFilters,
}: CheckpointsViewProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const client = useQueryClient();
  const { slug } = project;
  const [{ days, ...filters }, setAddress] = useQueryStates(filterParsers, { history: 'push' });
  const options = trpc.checkpoints.summary.queryOptions(
    { project: slug, days },
    { ...(days === firstDays && { initialData: initial }), placeholderData: keepPreviousData },
  );
  const summary = useQuery(options);
  const input = listInput(slug, filters);
  const list = usePages({
    key: trpc.checkpoints.pipelines.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.checkpoints.pipelines.query(
        { ...input, ...(cursor !== null && { cursor }) },
        { signal },
      ),
    first: filterQuery(filters) === filterQuery(firstFilters) ? first : null,
  });
  const live = useLive(slug, () => {
    list.refresh();
    void client.invalidateQueries({ queryKey: options.queryKey });
  });
  const data = summary.data ?? initial;
  const error = summary.error ?? list.error;
  const rows = list.pages.flatMap((page) => page.items);
  const isNew =
    rows.length === 0 &&
    !isFiltered(filters) &&
    data.byCheckpoint.every(({ cost }) => cost.verdicts === 0);
  return (
    <PageBody>
      <PageHead title="Checkpoints" sub="Verified steps between a request and its answer.">
        <div className="flex flex-wrap items-center gap-4">
          <LiveMark state={live} readAt={list.dataUpdatedAt} />
          <PeriodNav project={slug} days={days} filters={filters} />
        </div>
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The checkpoints could not be refreshed"
          works="The page shows the last loaded data; verification continues."
          problem={problemOf(error)}
          onRetry={() => {
            void summary.refetch();
            void list.refetch();
          }}
        />
      ) : null}
      {isNew ? (
        <FirstPipeline project={project} />
      ) : (
        <>
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <SplitPanel summary={data} />
            <ScorePanel summary={data} />
            <CostPanel summary={data} />
            <RetryPanel summary={data} />
          </div>
          <PipelineList
            project={slug}
            list={list}
            rows={rows}
            filters={filters}
            onChange={(change) => void setAddress(change)}
          />
        </>
      )}
    </PageBody>
  );
}

function PeriodNav({ project, days, filters }: { project: string; days: Days; filters: Filters }) {
  return (
    <nav aria-label="Period" className="border-line bg-surface rounded-4 flex border">
      {periods.map((period) => (
        <Link
          key={period}
          href={`/p/${project}/checkpoints${filterQuery({ ...filters, days: period })}`}
          aria-current={period === days ? 'true' : undefined}
          className={`rounded-4 flex h-8 items-center px-3 ${period === days ? 'bg-accent-wash font-semibold' : 'text-ink-2 hover:bg-hover'}`}
        >
          {periodName[period]}
        </Link>
      ))}
    </nav>
  );
}
