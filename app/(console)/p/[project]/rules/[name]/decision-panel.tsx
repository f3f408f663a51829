'use client';

import { Select } from '@/app/_ui/select';
import { useQueryStates } from 'nuqs';
import { Crumbs } from '@/app/(console)/crumbs';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { DecisionPage, Rule } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FilterBar } from '@/app/_ui/filter-bar';
import { FilteredOut } from '@/app/_ui/list-frame';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { DecisionList, decisionWords } from '@/app/_ui/why';
import { DecisionState } from '@/server/domain';
import { describeFilter } from '@/server/rules/input';
import { listInput, stateParsers } from './filters';

interface DecisionPanelProps {
  project: string;
  rule: Rule;
  first: DecisionPage;
  /** The filter that `first` was loaded with. */
  firstState: DecisionState | null;
}

export function DecisionPanel({ project, rule, first, firstState }: DecisionPanelProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const [{ state }, setFilters] = useQueryStates(stateParsers, { history: 'push' });
  const input = listInput(project, rule.name, state);
  const list = usePages({
    key: trpc.decisions.list.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.decisions.list.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first: state === firstState ? first : null,
  });
  useLive(project, list.refresh, 3000);
  const rows = list.pages.flatMap((page) => page.items);
  const words =
    rule.filter === null
      ? 'nothing: this release cannot read its filter'
      : (describeFilter(rule.filter) ?? 'every turn');
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs trail={[{ name: 'Rules', href: `/p/${project}/rules` }]} pageName={rule.name} />
        }
        title={rule.name}
        sub={`Sends ${words} to ${rule.verifier}. Version ${rule.version}, ${rule.enabled ? 'on' : 'off'}.`}
      />
      <FilterBar isFiltered={state !== null} onClear={() => void setFilters({ state: null })}>
        <Select
          label="State"
          value={state ?? ''}
          options={[
            ['', 'Any state'],
            ...DecisionState.options.map((each) => [each, decisionWords[each]] as const),
          ]}
          onChange={(chosen) => void setFilters({ state: chosen === '' ? null : chosen })}
          className="md:w-52"
        />
      </FilterBar>
      {list.error ? (
        <ErrorPanel
          what="Decisions could not be read"
          works="Rows already shown stay; rules still decide."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <Panel title="Decisions">
        {rows.length > 0 ? (
          <DecisionList project={project} decisions={rows} of="rule" />
        ) : state === null ? (
          <Empty title="Nothing decided yet.">
            <p>
              A decision appears here for every new turn, and for stored turns after a backfill.
            </p>
          </Empty>
        ) : (
          <FilteredOut noun="decision" onClear={() => void setFilters({ state: null })} />
        )}
      </Panel>
      <LoadMore
        shown={rows.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </PageBody>
  );
}
