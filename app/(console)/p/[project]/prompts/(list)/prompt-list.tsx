'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptSummary } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { recallList, rememberList } from '../../verdicts/list-memory';
import { PromptTable } from './prompt-table';

/** Edits announce themselves to nobody. */
const everyMs = 15_000;

export function PromptList({ project, initial }: { project: string; initial: PromptSummary[] }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.prompts.list.queryOptions({ project }, { initialData: initial, refetchInterval: everyMs });
  const { data: prompts, error, dataUpdatedAt, refetch } = useQuery(options);
  const live = useLive(project, () => void client.invalidateQueries({ queryKey: options.queryKey }), 5000);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const memoryName = `${project}/prompts`;
  useEffect(() => {
    const at = recallList(memoryName)?.at;
    if (at) area.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(at)}"]`)?.focus();
  }, [memoryName]);
  const remember = (at: string) => rememberList(memoryName, { search: '', ids: prompts.map(({ slug }) => slug), at });
  return (
    <PageBody>
      <PageHead title="Prompts" sub="What judges are asked with. Each is yours to change; the text of the release is version 0.">
        <LiveMark state={live} readAt={dataUpdatedAt} />
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The prompts could not be refreshed"
          works="What you see is the last reading; judges go on with the promoted versions."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <div ref={area} className="bg-surface border-line rounded-8 border">
        {prompts.length === 0 ? (
          <Empty title="This release asks no judge.">
            <p>Prompts come with the verifiers that need them.</p>
          </Empty>
        ) : (
          <PromptTable project={project} prompts={prompts} onOpen={remember} />
        )}
      </div>
    </PageBody>
  );
}
