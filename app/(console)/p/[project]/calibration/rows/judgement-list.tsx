'use client';

import { DayRange } from '@/app/_ui/day-range';
import { Select } from '@/app/_ui/select';
import { useQueryStates } from 'nuqs';
import { Crumbs } from '@/app/(console)/crumbs';
import { SavedViews } from '@/app/(console)/saved-views';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { LabelledVerdictPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { FilterBar } from '@/app/_ui/filter-bar';
import { SetFilter } from '@/app/_ui/filter-fields';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { plainText } from '@/app/_ui/visible-text';
import { Cell } from '@/server/measures/input';
import {
  cellMeaning,
  cellName,
  type RowFilters,
  rowParsers,
  rowsInput,
  rowsQuery,
  sliceName,
  verifierHref,
} from '../addresses';
import { JudgementTable } from './judgement-table';

interface JudgementListProps {
  project: string;
  verifier: string;
  first: LabelledVerdictPage;
  /** The filters that `first` was loaded with. */
  firstFilters: RowFilters;
}

const keyOf = ({ verifier, origin, judge, policy, by, of, cell, from, to }: RowFilters): string =>
  JSON.stringify([verifier, origin, judge, policy, by, of, cell, from?.getTime(), to?.getTime()]);

/** The rows behind one number. */
export function JudgementList({ project, verifier, first, firstFilters }: JudgementListProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const [filters, setFilters] = useQueryStates(rowParsers, { history: 'push' });
  const shown = { ...filters, verifier: filters.verifier ?? verifier };
  const input = rowsInput(project, shown);
  const list = usePages({
    key: trpc.calibration.rows.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.calibration.rows.query(
        { ...input, ...(cursor !== null && { cursor }) },
        { signal },
      ),
    first: keyOf(shown) === keyOf(firstFilters) ? first : null,
  });
  useLive(project, list.refresh, 2000);
  const rows = list.pages.flatMap((page) => page.items);
  const { origin, judge, policy, by, of } = shown;
  const about = { project, verifier: shown.verifier, origin, judge, policy, by, of };
  // For this instance's verifiers this list has only labelled verdicts; the others are in the list
  // of verdicts.
  const cells = Cell.options.filter(
    (cell) =>
      shown.origin === 'imported' ||
      (cell !== 'passes' && cell !== 'decided' && cell !== 'unparseable'),
  );
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[
              { name: 'Calibration', href: `/p/${project}/calibration` },
              { name: shown.verifier, href: verifierHref(about, 0) },
            ]}
            pageName="Rows"
          />
        }
        title={cellName[shown.cell]}
        sub={`${plainText(shown.verifier)}: ${cellMeaning[shown.cell]}.`}
      />
      <FilterBar
        isFiltered={[judge, policy, of, shown.from, shown.to].some((value) => value !== null)}
        onClear={() =>
          void setFilters({ judge: null, policy: null, by: null, of: null, from: null, to: null })
        }
        views={<SavedViews project={project} page="calibration-rows" query={rowsQuery(shown)} />}
      >
        <Select
          label="Rows"
          value={shown.cell}
          options={cells.map((cell) => [cell, cellName[cell]] as const)}
          onChange={(cell) => void setFilters({ cell })}
          className="md:w-56"
        />
        <SetFilter name="Judge" value={judge} onRemove={() => void setFilters({ judge: null })} />
        <SetFilter
          name="Policy"
          value={policy === null ? null : String(policy)}
          onRemove={() => void setFilters({ policy: null })}
        />
        <SetFilter
          name={by === null ? 'Slice' : sliceName[by]}
          value={of}
          onRemove={() => void setFilters({ by: null, of: null })}
        />
        <DayRange
          range={{ from: shown.from, to: shown.to }}
          onChange={(range) => void setFilters(range)}
        />
      </FilterBar>
      {list.error ? (
        <ErrorPanel
          what="Rows could not be read"
          works="Rows already shown stay; verification continues."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <Panel title="Rows">
        {rows.length > 0 ? (
          <JudgementTable
            project={project}
            rows={rows}
            name={`${cellName[shown.cell]} of ${shown.verifier}`}
          />
        ) : (
          <Empty title="No row is counted here.">
            {shown.from === null && shown.to === null ? null : (
              <div>
                <Button onClick={() => void setFilters({ from: null, to: null })}>
                  Show all days
                </Button>
              </div>
            )}
          </Empty>
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
