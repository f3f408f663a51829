'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { Crumbs } from '@/app/(console)/crumbs';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { ExperimentComparison } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ErrorPanel } from '@/app/_ui/panel';
import { isActive } from '../experiment-words';
import { AnswerPanel } from './answer-panel';
import { CandidatePrompts } from './candidate-prompts';
import { ComparisonPanel } from './comparison-table';
import { ItemsPanel } from './items-panel';
import { compareParsers, type SliceBy } from './parsers';
import { RunsPanel } from './runs-panel';
import { SlicesPanel } from './slices-panel';

interface CompareViewProps {
  project: string;
  ids: readonly string[];
  initial: ExperimentComparison;
  /** The slices that `initial` was loaded with. */
  firstSlice: SliceBy | null;
}

/** Runs of one dataset, compared item by item with the first one. */
export function CompareView({ project, ids, initial, firstSlice }: CompareViewProps) {
  const trpc = useTRPC();
  const [{ slice, verifier }, setFilters] = useQueryStates(compareParsers);
  const read = useQuery(
    trpc.experiments.compare.queryOptions(
      { project, ids: [...ids], ...(slice !== null && { slice }) },
      {
        ...(slice === firstSlice && { initialData: initial }),
        placeholderData: keepPreviousData,
      },
    ),
  );
  const data = read.data ?? initial;
  const isRunning = data.runs.some(({ state }) => isActive(state));
  useLive(
    project,
    () => {
      if (isRunning) void read.refetch();
    },
    5_000,
  );
  const [baseline] = data.runs;
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[
              {
                name: 'Experiments',
                href: `/p/${project}/experiments`,
                list: `${project}/experiments`,
              },
            ]}
            pageName="Compare"
          />
        }
        title="Compare experiments"
        sub={
          baseline === undefined
            ? undefined
            : `Dataset ${baseline.datasetSlug}. Items are paired by their id; differences are from the baseline.`
        }
      />
      {read.error ? (
        <ErrorPanel
          what="The comparison could not be refreshed"
          works="The page shows the last loaded data."
          problem={problemOf(read.error)}
          onRetry={() => void read.refetch()}
        />
      ) : null}
      <AnswerPanel data={data} />
      <CandidatePrompts project={project} runs={data.runs} />
      <ComparisonPanel project={project} data={data} />
      <RunsPanel project={project} runs={data.runs} />
      <SlicesPanel
        data={data}
        slice={slice}
        isBehind={read.isPlaceholderData}
        onChange={(by) => void setFilters({ slice: by })}
      />
      <ItemsPanel
        project={project}
        runs={data.runs}
        verifiers={[...new Set(data.comparisons.map((each) => each.verifier))]}
        first={initial.items}
        verifier={verifier}
        onVerifier={(slug) => void setFilters({ verifier: slug })}
      />
    </PageBody>
  );
}
