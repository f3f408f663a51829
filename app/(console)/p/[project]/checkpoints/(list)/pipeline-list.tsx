'use client';

import { useRef } from 'react';
import { LoadMore } from '@/app/(console)/load-more';
import type { usePages } from '@/app/(console)/use-pages';
import type { PipelinePage, PipelineRow } from '@/app/_trpc/outputs';
import { FilterBar, ToggleGroup } from '@/app/_ui/filter-bar';
import { Toggle } from '@/app/_ui/filter-fields';
import { FilteredOut, ListFrame } from '@/app/_ui/list-frame';
import { Empty } from '@/app/_ui/panel';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { useListMemory } from '@/app/(console)/use-list-memory';
import { type Filters, isFiltered, noFilters } from '../filters';
import { PipelineTable } from './pipeline-table';

interface PipelineListProps {
  project: string;
  list: ReturnType<typeof usePages<PipelinePage>>;
  rows: readonly PipelineRow[];
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
}

const outcomes = [
  ['succeeded', 'Succeeded'],
  ['failed', 'Did not succeed'],
  ['unknown', 'Not known'],
] as const;
const verdicts = [
  ['PASS', 'passed'],
  ['RETRY', 'needs_review'],
  ['FAIL', 'failed'],
] as const;

export function PipelineList({ project, list, rows, filters, onChange }: PipelineListProps) {
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const remember = useListMemory({
    name: `${project}/checkpoints`,
    area,
    ids: () => rows.map((row) => row.id),
  });
  return (
    <section aria-label="Pipelines" className="grid gap-3">
      <h2>Pipelines</h2>
      <FilterBar
        isFiltered={isFiltered(filters)}
        onClear={() => onChange(noFilters)}
        toggles={
          <>
            <ToggleGroup label="Reported outcome">
              {outcomes.map(([outcome, word]) => (
                <Toggle
                  key={outcome}
                  on={filters.outcome === outcome}
                  onChange={(on) => onChange({ outcome: on ? outcome : null })}
                >
                  {word}
                </Toggle>
              ))}
            </ToggleGroup>
            <ToggleGroup label="A checkpoint ended in">
              {verdicts.map(([verdict, state]) => (
                <Toggle
                  key={verdict}
                  on={filters.verdict === verdict}
                  onChange={(on) => onChange({ verdict: on ? verdict : null })}
                >
                  <VerdictIcon state={state} />
                  {verdict}
                </Toggle>
              ))}
            </ToggleGroup>
          </>
        }
      />
      <ListFrame area={area} isBehind={list.isPlaceholderData}>
        {rows.length > 0 ? (
          <PipelineTable rows={rows} project={project} onOpen={remember} />
        ) : isFiltered(filters) ? (
          <FilteredOut noun="pipeline" onClear={() => onChange(noFilters)} />
        ) : (
          <Empty title="No call has a trace or session id.">
            <p>
              Send a <code className="font-mono">trace_id</code> or a{' '}
              <code className="font-mono">session_id</code> with each call of a request: its
              checkpoints are then shown together.
            </p>
          </Empty>
        )}
      </ListFrame>
      <LoadMore
        shown={rows.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </section>
  );
}
