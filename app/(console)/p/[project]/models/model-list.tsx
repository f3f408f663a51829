'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { ModelDays, ModelRow } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel, Skeleton } from '@/app/_ui/panel';
import { minSampleSize } from '@/app/_ui/rate';
import { DaysPanel } from './days-panel';
import { ModelTable } from './model-table';

interface ModelListProps {
  project: string;
  initial: readonly ModelRow[];
  /** Null when they could not be loaded. */
  initialDays: readonly ModelDays[] | null;
}

/** QEL-47, for every verifier: recent results by model. */
export function ModelList({ project, initial, initialDays }: ModelListProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.models.list.queryOptions({ project }, { initialData: [...initial] });
  const { data, error, dataUpdatedAt, refetch } = useQuery(options);
  const dayOptions = trpc.models.days.queryOptions(
    { project },
    initialDays === null ? {} : { initialData: [...initialDays] },
  );
  const days = useQuery(dayOptions);
  const live = useLive(
    project,
    () => {
      void client.invalidateQueries({ queryKey: options.queryKey });
      void client.invalidateQueries({ queryKey: dayOptions.queryKey });
      void client.invalidateQueries({ queryKey: trpc.charts.pathKey() });
    },
    3000,
  );
  return (
    <PageBody>
      <PageHead
        title="Models"
        sub="Results by model: the last 100 results of each verifier, and the last 30 days."
      >
        <LiveMark state={live} readAt={dataUpdatedAt} />
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The results could not be refreshed"
          works="The page shows the last loaded data; verification continues."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <Panel
        title="Results"
        aside={
          <span className="text-12 text-ink-3">
            95% intervals; under n = {minSampleSize} only counts. Verifiers and tiers differ in what
            passes
          </span>
        }
      >
        {data.length === 0 ? (
          <Empty title="No work of a named model passed or failed in the last 30 days.">
            <p>
              Name the <code className="text-12 font-mono">model</code> in turns and verify calls to
              compare models.
            </p>
          </Empty>
        ) : (
          <ModelTable project={project} models={data} />
        )}
      </Panel>
      {days.data === undefined ? (
        days.error ? (
          <ErrorPanel
            what="The days could not be read"
            works="The table above is still valid; verification continues."
            problem={problemOf(days.error)}
            onRetry={() => void days.refetch()}
          />
        ) : (
          <Skeleton className="h-64" />
        )
      ) : (
        <DaysPanel
          project={project}
          models={days.data}
          verifiers={[...new Set(data.map(({ verifier }) => verifier))].toSorted()}
        />
      )}
    </PageBody>
  );
}
