'use client';

import { useRef } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { LoadMore } from '@/app/(console)/load-more';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { FlipPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { plainText } from '@/app/_ui/visible-text';
import { periodName } from '../../calibration/addresses';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { plainNumber } from '../../verdicts/[id]/subject/words';
import { wordsOf } from '../../verifiers/kinds';
import { type ThresholdAddress, thresholdHref } from '../addresses';
import { scopeText } from '../threshold-words';
import { FlipTable } from '../flip-table';
import type { FlipsInput } from './flips-input';

interface FlipListProps {
  project: string;
  address: ThresholdAddress;
  input: FlipsInput;
  first: FlipPage;
}

/** Every labelled verdict that one value would change. */
export function FlipList({ project, address, input, first }: FlipListProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-flip]');
  const list = usePages({
    key: trpc.thresholds.flips.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.thresholds.flips.query(
        { ...input, ...(cursor !== null && { cursor }) },
        { signal },
      ),
    first,
  });
  const flips = list.pages.flatMap((page) => page.items);
  const scope = scopeText({ missionId: address.mission, taskId: address.task });
  const period = address.days === 0 ? 'all days' : `the last ${periodName[address.days]}`;
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[
              { name: 'Thresholds', href: thresholdHref(project, {}) },
              {
                name: `${input.key} of ${wordsOf(input.verifier).label}`,
                href: thresholdHref(project, address),
              },
            ]}
            pageName="Verdicts that would flip"
          />
        }
        title="Verdicts that would flip"
        sub={`Labelled verdicts that ${plainNumber(input.value)} would decide differently, of ${plainText(scope)}, ${period}; the newest first.`}
      />
      {list.error ? (
        <ErrorPanel
          what="The verdicts could not be read"
          works="Those already shown stay; the current thresholds still apply."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <Panel title="Verdicts">
        <div ref={area}>
          {flips.length === 0 ? (
            <Empty title="No labelled verdict would change." />
          ) : (
            <FlipTable label="Verdicts that would flip" project={project} flips={flips} />
          )}
        </div>
      </Panel>
      <LoadMore
        shown={flips.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </PageBody>
  );
}
