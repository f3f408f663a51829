'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptSummary } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ListFrame } from '@/app/_ui/list-frame';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { useListMemory } from '@/app/(console)/use-list-memory';
import { PromptTable } from './prompt-table';

export function PromptList({ project, initial }: { project: string; initial: PromptSummary[] }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.prompts.list.queryOptions({ project }, { initialData: initial });
  const { data: prompts, error, dataUpdatedAt, refetch } = useQuery(options);
  const live = useLive(
    project,
    () => void client.invalidateQueries({ queryKey: options.queryKey }),
    5000,
  );
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const remember = useListMemory({
    name: `${project}/prompts`,
    area,
    ids: () => prompts.map(({ slug }) => slug),
  });
  return (
    <PageBody>
      <PageHead
        title="Prompts"
        sub="The prompts of judges. You can edit each one; version 0 is the default text."
      >
        <LiveMark state={live} readAt={dataUpdatedAt} />
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The prompts could not be refreshed"
          works="The page shows the last loaded data; judges still use the promoted versions."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <ListFrame area={area}>
        {prompts.length === 0 ? (
          <Empty title="This release asks no judge.">
            <p>Prompts come with the verifiers that need them.</p>
          </Empty>
        ) : (
          <PromptTable project={project} prompts={prompts} onOpen={remember} />
        )}
      </ListFrame>
    </PageBody>
  );
}
