'use client';

import { Select } from '@/app/_ui/select';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { LoadMore } from '@/app/(console)/load-more';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { AlertEvent, AlertPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { FilterBar } from '@/app/_ui/filter-bar';
import { SetFilter } from '@/app/_ui/filter-fields';
import { Moment } from '@/app/_ui/moment';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { alertFacts, alertKinds } from '@/server/alerts/input';
import { AlertMark } from './alert-mark';
import { AlertTitle } from './alert-title';
import { eventWord, sentText } from './alert-words';
import {
  type Filters,
  filterParsers,
  filterQuery,
  historyInput,
  isFiltered,
  noFilters,
} from './filters';

interface HistoryPanelProps {
  project: string;
  first: AlertPage;
  /** The filters that `first` was loaded with. */
  firstFilters: Filters;
  /** Destinations are shown to users who may change settings. */
  mayWrite: boolean;
}

/** The history of alerts, the newest first, with the result of each notice. */
export function HistoryPanel({ project, first, firstFilters, mayWrite }: HistoryPanelProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const input = historyInput(project, filters);
  const list = usePages({
    key: trpc.alerts.history.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.alerts.history.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first: filterQuery(filters) === filterQuery(firstFilters) ? first : null,
  });
  const rows = list.pages.flatMap((page) => page.items);
  const clear = () => void setFilters(noFilters);
  return (
    <>
      {list.error ? (
        <ErrorPanel
          what="The history could not be read"
          works="Rows already shown stay; alerts are still checked and sent."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <Panel title="History" id="history">
        <div className="border-line border-b p-4">
          <FilterBar
            label="Filters of the history"
            isFiltered={isFiltered(filters)}
            onClear={clear}
          >
            <KindFilter value={filters.kind} onChange={(kind) => void setFilters({ kind })} />
            <SetFilter
              name="Of"
              value={filters.series}
              onRemove={() => void setFilters({ series: null })}
            />
          </FilterBar>
        </div>
        {rows.length > 0 ? (
          <div
            aria-busy={list.isPlaceholderData}
            className={list.isPlaceholderData ? 'opacity-60' : ''}
          >
            <HistoryTable project={project} rows={rows} mayWrite={mayWrite} />
          </div>
        ) : isFiltered(filters) ? (
          <Empty title="Nothing in the history passes these filters.">
            <div>
              <Button onClick={clear}>Clear filters</Button>
            </div>
          </Empty>
        ) : (
          <Empty title="Nothing has alerted yet.">
            <p>
              This page shows each alert that starts, continues or recovers, with its notifications.
            </p>
          </Empty>
        )}
      </Panel>
      <LoadMore
        shown={rows.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </>
  );
}

function KindFilter({
  value,
  onChange,
}: {
  value: Filters['kind'];
  onChange: (kind: Filters['kind']) => void;
}) {
  return (
    <Select
      label="Kind"
      value={value ?? ''}
      options={[
        ['', 'Any kind'],
        ...alertKinds.map((kind) => [kind, alertFacts[kind].title] as const),
      ]}
      onChange={(kind) => onChange(kind === '' ? null : kind)}
      className="md:w-56"
    />
  );
}

const marks: Record<AlertEvent['event'], 'alerting' | 'ok' | 'no_data'> = {
  began: 'alerting',
  lasts: 'alerting',
  acknowledged: 'alerting',
  recovered: 'ok',
  no_data: 'no_data',
};

function HistoryTable({
  project,
  rows,
  mayWrite,
}: {
  project: string;
  rows: readonly AlertEvent[];
  mayWrite: boolean;
}) {
  return (
    <DataTable label="History" heads={['When', 'What', 'Alert', 'Found', 'Sent to']}>
      {rows.map((row) => (
        <Row key={row.id}>
          <NameCell>
            <Moment at={row.at} />
          </NameCell>
          <Cell>
            <AlertMark state={marks[row.event]} word={eventWord(row)} />
          </Cell>
          <td className="max-w-80 min-w-48 px-4 py-1 [overflow-wrap:anywhere]">
            <AlertTitle alert={row} />
          </td>
          <td className="text-ink-2 max-w-[64ch] min-w-72 px-4 py-1 [overflow-wrap:anywhere]">
            {row.by === null ? null : (
              <span className="text-ink">
                By <VisibleText text={row.by} />.{' '}
              </span>
            )}
            <VisibleText text={row.message} />
            {row.found > 1 ? (
              <span className="text-ink-3">
                {' '}
                Found {row.found.toLocaleString('en')} times since the previous notification.
              </span>
            ) : null}
          </td>
          <td className="min-w-48 px-4 py-1 [overflow-wrap:anywhere]">
            {row.event === 'acknowledged' ? (
              <span className="text-ink-3">not sent</span>
            ) : (
              <Sent project={project} sent={row.sent} mayWrite={mayWrite} />
            )}
          </td>
        </Row>
      ))}
    </DataTable>
  );
}

function Sent({
  project,
  sent,
  mayWrite,
}: {
  project: string;
  sent: AlertEvent['sent'];
  mayWrite: boolean;
}) {
  if (sent.length === 0) {
    return (
      <span className="text-ink-3">
        no destination
        {mayWrite ? (
          <>
            {': '}
            <Link href={`/p/${project}/settings/webhooks`} prefetch={false} className="underline">
              destinations
            </Link>
          </>
        ) : null}
      </span>
    );
  }
  return (
    <ul className="grid">
      {sent.map((each) => (
        <li key={each.destination}>
          <VisibleText text={each.destination} />: <VisibleText text={sentText(each)} />
        </li>
      ))}
    </ul>
  );
}
