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
import { type ListEnd, rowCount } from '@/app/_ui/row-stretches';
import { RowWindow } from '@/app/_ui/row-window';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { outcomeOrder, verdictStyles } from '@/app/_ui/verdict-styles';
import { VisibleText } from '@/app/_ui/visible-text';
import type { Outcome } from '@/server/domain';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { filterQuery } from '../../verdicts/filters';

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
    idOf: (row) => row.id,
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
      <div ref={area} aria-busy={list.isPlaceholderData} className="@container">
        {rows.length > 0 ? (
          <VerdictRows project={project} rows={rows} end={list.end} />
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

function VerdictRows({
  project,
  rows,
  end,
}: {
  project: string;
  rows: readonly VerdictRow[];
  end: ListEnd;
}) {
  return (
    <table
      aria-label="Verdicts"
      aria-rowcount={rowCount(rows.length, end)}
      className="w-full table-fixed border-collapse"
    >
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="w-32 pl-4">
            Outcome
          </th>
          <th scope="col" className="px-2">
            Output
          </th>
          <th scope="col" className="hidden w-24 px-2 text-right @xl:table-cell">
            Score
          </th>
          <th scope="col" className="hidden w-44 px-2 @3xl:table-cell">
            Verifier
          </th>
          <th scope="col" className="w-16 pr-4">
            Turn
          </th>
        </tr>
      </thead>
      <RowWindow rows={rows} idOf={(row) => row.id} end={end}>
        {(row, place) => (
          <tr
            aria-rowindex={place}
            className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0"
          >
            <td className="pl-4">
              <span className="flex items-center gap-2">
                <VerdictIcon state={row.outcome} />
                <span className="truncate">{verdictStyles[row.outcome].word}</span>
              </span>
            </td>
            <td className="truncate px-2">
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
            </td>
            <td className="text-ink-2 hidden px-2 text-right @xl:table-cell">
              {row.score === null ? '' : row.score.toFixed(2)}
            </td>
            <td className="text-12 text-ink-2 hidden truncate px-2 font-mono @3xl:table-cell">
              {row.verifier}
            </td>
            <td className="pr-4">
              {row.turnId === null ? null : (
                <Link
                  href={`/p/${project}/turns/${encodeURIComponent(row.turnId)}`}
                  prefetch={false}
                  className="relative z-1 underline"
                >
                  Turn
                </Link>
              )}
            </td>
          </tr>
        )}
      </RowWindow>
    </table>
  );
}
