'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { ModelPerformance } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { leastForRate } from '@/app/_ui/rate';
import { ModelTable } from './model-table';

/** QEL-47: how the code of each model has fared lately. */
export function ModelList({ project, initial }: { project: string; initial: readonly ModelPerformance[] }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.models.list.queryOptions({ project }, { initialData: [...initial] });
  const { data, error, dataUpdatedAt, refetch } = useQuery(options);
  const live = useLive(project, () => void client.invalidateQueries({ queryKey: options.queryKey }));
  return (
    <PageBody>
      <PageHead title="Models" sub="How the code that each model writes has fared in its last 100 results.">
        <LiveMark state={live} readAt={dataUpdatedAt} />
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The results could not be refreshed"
          works="What you see is the last reading; verdicts are still being made."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <Panel
        title="Code"
        aside={
          <span className="text-12 text-ink-3">95 % intervals; under n = {leastForRate} counts only. Tiers differ in what passes</span>
        }
      >
        {data.length === 0 ? (
          <Empty title="No code of a named model has been verified yet.">
            <p>
              Send what a model wrote to <code className="text-12 font-mono">POST /v1/verify/code</code> with its{' '}
              <code className="text-12 font-mono">model</code>.
            </p>
          </Empty>
        ) : (
          <ModelTable project={project} models={data} />
        )}
      </Panel>
    </PageBody>
  );
}
