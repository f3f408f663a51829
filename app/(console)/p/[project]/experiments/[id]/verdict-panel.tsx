'use client';

import Link from 'next/link';
import { useRef, useState } from 'react';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { Experiment, VerdictPage, VerdictRow } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Toggle } from '@/app/_ui/filter-fields';
import { ToggleGroup } from '@/app/_ui/filter-bar';
import { type Column, RowTable } from '@/app/_ui/row-table';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { outcomeOrder, verdictStyles } from '@/app/_ui/verdict-styles';
import { VisibleText } from '@/app/_ui/visible-text';
import type { Outcome } from '@/server/domain';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { filterQuery } from '../../verdicts/filters';

const idOf = (row: VerdictRow): string => row.id;

const columns: readonly Column<VerdictRow, string>[] = [
  {
    id: 'outcome',
    head: 'Outcome',
    width: 'w-32',
    variant: 'first',
    cell: ({ outcome }) => (
      <span className="flex items-center gap-2">
        <VerdictIcon state={outcome} />
        <span className="truncate">{verdictStyles[outcome].word}</span>
      </span>
    ),
  },
  {
    id: 'output',
    head: 'Output',
    cell: (row, project) => (
      <Link
        href={`/p/${project}/verdicts/${encodeURIComponent(row.id)}`}
        data-verdict={row.id}
        prefetch={false}
        className="row-link [unicode-bidi:isolate]"
      >
        {row.excerpt === '' ? (
          <span className="text-ink-3">Empty answer</span>
        ) : (
          <VisibleText text={row.excerpt} />
        )}
      </Link>
    ),
  },
  {
    id: 'score',
    head: 'Score',
    width: 'w-24',
    from: 'hidden @xl:table-cell',
    variant: 'number',
    cell: (row) => row.score?.toFixed(2) ?? '',
  },
  {
    id: 'verifier',
    head: 'Verifier',
    width: 'w-44',
    from: 'hidden @3xl:table-cell',
    variant: 'code',
    cell: (row) => row.verifier,
  },
  {
    id: 'turn',
    head: 'Turn',
    width: 'w-16',
    cell: (row, project) =>
      row.turnId === null ? null : (
        <Link
          href={`/p/${project}/turns/${encodeURIComponent(row.turnId)}`}
          prefetch={false}
          className="relative z-1 underline"
        >
          Turn
        </Link>
      ),
  },
];

interface VerdictPanelProps {
  project: string;
  experiment: Experiment;
  first: VerdictPage;
}

/** The verdicts of the experiment with their turns. */
export function VerdictPanel({ project, experiment: { id }, first }: VerdictPanelProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const input = {
    project,
    experiment: id,
    limit: 50,
    ...(outcome !== null && { outcome: [outcome] }),
  };
  const list = usePages({
    key: trpc.verdicts.list.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.verdicts.list.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first: outcome === null ? first : null,
    idOf,
  });
  useLive(project, list.refresh);
  const rows = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area);
  return (
    <Panel
      title="Verdicts"
      aside={
        <Link
          href={`/p/${project}/verdicts${filterQuery({ experiment: id })}`}
          className="text-ink-2 hover:text-ink underline"
        >
          Open in Verdicts
        </Link>
      }
    >
      <div className="border-line border-b px-4 py-2">
        <ToggleGroup label="Outcome">
          {outcomeOrder.map((each) => (
            <Toggle
              key={each}
              on={outcome === each}
              onChange={(on) => setOutcome(on ? each : null)}
            >
              <VerdictIcon state={each} />
              {verdictStyles[each].word}
            </Toggle>
          ))}
        </ToggleGroup>
      </div>
      {list.error ? (
        <ErrorPanel
          what="The verdicts could not be read"
          works="Rows already shown stay."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <div ref={area} aria-busy={list.isPlaceholderData}>
        {rows.length > 0 ? (
          <RowTable
            label="Verdicts"
            columns={columns}
            context={project}
            rows={rows}
            idOf={idOf}
            end={list.end}
          />
        ) : (
          <Empty title={outcome === null ? 'No verdict yet.' : 'No verdict has this outcome.'} />
        )}
      </div>
      <div className="p-4 empty:hidden">
        <LoadMore
          shown={rows.length}
          hasMore={list.hasNextPage}
          busy={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      </div>
    </Panel>
  );
}
