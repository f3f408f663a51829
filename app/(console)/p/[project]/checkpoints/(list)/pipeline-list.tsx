'use client';

import { useEffect, useRef } from 'react';
import { LoadMore } from '@/app/(console)/load-more';
import type { usePages } from '@/app/(console)/use-pages';
import type { PipelinePage, PipelineRow } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Toggle } from '@/app/_ui/filter-fields';
import { Empty } from '@/app/_ui/panel';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { recallList, rememberList } from '../../verdicts/list-memory';
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
  const memoryName = `${project}/checkpoints`;
  useEffect(() => {
    const memory = recallList(memoryName);
    if (!memory?.at || memory.search !== window.location.search) return;
    area.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(memory.at)}"]`)?.focus();
  }, [memoryName]);
  const remember = (id: string) => rememberList(memoryName, { search: window.location.search, ids: rows.map((row) => row.id), at: id });
  return (
    <section aria-label="Pipelines" className="grid gap-3">
      <h2>Pipelines</h2>
      <search aria-label="Filters" className="flex flex-wrap gap-x-4 gap-y-2">
        <div role="group" aria-label="Reported outcome" className="flex flex-wrap gap-1">
          {outcomes.map(([outcome, word]) => (
            <Toggle key={outcome} on={filters.outcome === outcome} onChange={(on) => onChange({ outcome: on ? outcome : null })}>
              {word}
            </Toggle>
          ))}
        </div>
        <div role="group" aria-label="A checkpoint ended in" className="flex flex-wrap gap-1">
          {verdicts.map(([verdict, state]) => (
            <Toggle key={verdict} on={filters.verdict === verdict} onChange={(on) => onChange({ verdict: on ? verdict : null })}>
              <VerdictIcon state={state} />
              {verdict}
            </Toggle>
          ))}
        </div>
        {isFiltered(filters) ? (
          <Button look="quiet" onClick={() => onChange(noFilters)}>
            Clear filters
          </Button>
        ) : null}
      </search>
      <div
        ref={area}
        aria-busy={list.isPlaceholderData}
        className={`bg-surface border-line rounded-8 border ${list.isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {rows.length > 0 ? (
          <PipelineTable rows={rows} project={project} onOpen={remember} />
        ) : isFiltered(filters) ? (
          <Empty title="No pipeline passes these filters.">
            <div>
              <Button onClick={() => onChange(noFilters)}>Clear filters</Button>
            </div>
          </Empty>
        ) : (
          <Empty title="No call named its request.">
            <p>
              Send a <code className="font-mono">trace_id</code> or a <code className="font-mono">session_id</code> with each call of a
              request: its checkpoints are then shown together.
            </p>
          </Empty>
        )}
      </div>
      <LoadMore shown={rows.length} hasMore={list.hasNextPage} busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </section>
  );
}
