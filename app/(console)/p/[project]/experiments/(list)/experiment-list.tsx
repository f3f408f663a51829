'use client';

import { useQueryStates } from 'nuqs';
import Link from 'next/link';
import { useRef, useState } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { may } from '@/app/(console)/pages';
import { useLive } from '@/app/(console)/use-live';
import { useListMemory } from '@/app/(console)/use-list-memory';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { ExperimentPage, ExperimentRow, Project } from '@/app/_trpc/outputs';
import { ColumnChoice } from '@/app/_ui/column-choice';
import { problemOf } from '@/app/_trpc/problem';
import { Button, buttonClass } from '@/app/_ui/button';
import { CopyText } from '@/app/_ui/copy-text';
import { FilterBar } from '@/app/_ui/filter-bar';
import { Choice, TextFilter } from '@/app/_ui/filter-fields';
import { FilteredOut, ListFrame } from '@/app/_ui/list-frame';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { experimentStates } from '@/server/experiments/input';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { compareHref, stateWords } from '../experiment-words';
import {
  type Filters,
  filterParsers,
  filterQuery,
  isFiltered,
  listInput,
  noFilters,
} from '../filters';
import { experimentColumns, ExperimentTable } from './experiment-table';
import { selectedRuns } from './selection';

interface ExperimentListProps {
  project: Project;
  first: ExperimentPage;
  /** The filters that `first` was loaded with. */
  firstFilters: Filters;
  /** Slugs, for the filter. */
  datasets: readonly string[];
}

export function ExperimentList({ project, first, firstFilters, datasets }: ExperimentListProps) {
  const { slug } = project;
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const input = listInput(slug, filters);
  const list = usePages({
    key: trpc.experiments.list.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.experiments.list.query(
        { ...input, ...(cursor !== null && { cursor }) },
        { signal },
      ),
    first: filterQuery(filters) === filterQuery(firstFilters) ? first : null,
  });
  const live = useLive(slug, list.refresh);
  const rows = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const remember = useListMemory({
    name: `${slug}/experiments`,
    area,
    ids: () => rows.map((row) => row.id),
  });
  const change = (to: Partial<Filters>) => void setFilters(to);
  const mayStart = may(project, 'prompts.write');
  return (
    <PageBody>
      <PageHead
        title="Experiments"
        sub="Runs of a model or prompt on a dataset, scored by verifiers. They do not affect live rates."
      >
        <div className="flex flex-wrap items-center gap-3">
          <LiveMark state={live} readAt={list.dataUpdatedAt} />
          <ColumnChoice name="experiments" columns={experimentColumns} />
          {mayStart ? (
            <Link href={`/p/${slug}/experiments/new`} className={buttonClass('primary')}>
              Start experiment
            </Link>
          ) : null}
        </div>
      </PageHead>
      <ListFilters
        filters={filters}
        datasets={datasets}
        onChange={change}
        onLeave={() => area.current?.querySelector<HTMLElement>('[data-row]')?.focus()}
      />
      {list.error ? (
        <ErrorPanel
          what="Experiments could not be read"
          works="Rows already shown stay; experiments continue."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <ComparisonBar
        project={slug}
        runs={selectedRuns(rows, chosen)}
        onClear={() => setChosen(new Set())}
      />
      <ListFrame area={area} isBehind={list.isPlaceholderData}>
        {rows.length > 0 ? (
          <ExperimentTable
            project={slug}
            pages={list.pages}
            chosen={chosen}
            onChoose={setChosen}
            onOpen={remember}
            end={list.end}
          />
        ) : isFiltered(filters) ? (
          <FilteredOut noun="experiment" onClear={() => change(noFilters)} />
        ) : (
          <FirstExperiment />
        )}
      </ListFrame>
      <LoadMore
        shown={rows.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </PageBody>
  );
}

function ListFilters({
  filters,
  datasets,
  onChange,
  onLeave,
}: {
  filters: Filters;
  datasets: readonly string[];
  onChange: (to: Partial<Filters>) => void;
  onLeave: () => void;
}) {
  return (
    <FilterBar isFiltered={isFiltered(filters)} onClear={() => onChange(noFilters)}>
      <TextFilter
        label="Filter by branch"
        placeholder="Branch ( / )"
        maxLength={200}
        value={filters.branch}
        onChange={(branch) => onChange({ branch })}
        onLeave={onLeave}
      />
      <Choice
        name="Dataset"
        value={filters.dataset}
        values={datasets}
        onChange={(dataset) => onChange({ dataset })}
      />
      <Choice
        name="State"
        value={filters.state === null ? null : stateWords[filters.state]}
        values={experimentStates.map((state) => stateWords[state])}
        onChange={(word) =>
          onChange({ state: experimentStates.find((state) => stateWords[state] === word) ?? null })
        }
      />
    </FilterBar>
  );
}

/** The selected runs, the first of which is the baseline. */
function ComparisonBar({
  project,
  runs,
  onClear,
}: {
  project: string;
  runs: readonly ExperimentRow[];
  onClear: () => void;
}) {
  const [baseline] = runs;
  if (baseline === undefined)
    return (
      <p className="text-12 text-ink-3">
        Select 2 to 6 experiments of one dataset to compare them.
      </p>
    );
  return (
    <div role="group" aria-label="Selection" className="flex flex-wrap items-center gap-3">
      {runs.length < 2 ? (
        <Button variant="primary" disabled>
          Compare
        </Button>
      ) : (
        <Link
          href={compareHref(
            project,
            runs.map(({ id }) => id),
          )}
          className={buttonClass('primary')}
        >
          Compare
        </Link>
      )}
      <Button variant="quiet" onClick={onClear}>
        Clear selection
      </Button>
      <p className="text-ink-2 min-w-0 truncate" role="status">
        {runs.length < 2 ? (
          'Select one more experiment of the same dataset.'
        ) : (
          <>
            {runs.length} selected. The oldest is the baseline: <VisibleText text={baseline.name} />
          </>
        )}
      </p>
    </div>
  );
}

function FirstExperiment() {
  return (
    <Empty title="No experiment yet.">
      <p>
        An experiment runs a prompt, an HTTP service or your own program over a dataset and verifies
        every output. Compare two experiments to see whether a change made the answers better or
        worse. Run one from a configuration file:
      </p>
      <CopyText label="Command that runs an experiment" text="assay eval run eval.yaml" />
    </Empty>
  );
}
