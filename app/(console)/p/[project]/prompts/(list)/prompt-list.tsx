'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { may } from '@/app/(console)/pages';
import { useCreate } from '@/app/(console)/use-create';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { Project, PromptSummary } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ListFrame } from '@/app/_ui/list-frame';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { useListMemory } from '@/app/(console)/use-list-memory';
import { PromptDialog } from './prompt-dialog';
import { PromptTable } from './prompt-table';

interface PromptListProps {
  project: Project;
  initial: PromptSummary[];
}

export function PromptList({ project: { slug: project, ...access }, initial }: PromptListProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const mayWrite = may(access, 'prompts.write');
  const [isCreating, setCreating] = useCreate(mayWrite);
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
        sub="The prompts of judges and of your applications. Version 0 is the default text of a judge."
      >
        <div className="flex flex-wrap items-center gap-4">
          <LiveMark state={live} readAt={dataUpdatedAt} />
          {mayWrite ? (
            <Button variant="primary" onClick={() => setCreating(true)}>
              Create prompt
            </Button>
          ) : null}
        </div>
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The prompts could not be refreshed"
          works="The page shows the last loaded data; judges and applications still use the promoted versions."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <ListFrame area={area}>
        {prompts.length === 0 ? (
          <Empty title="This release has no judge.">
            <p>Prompts come with the verifiers that need them.</p>
          </Empty>
        ) : (
          <PromptTable project={project} prompts={prompts} onOpen={remember} />
        )}
      </ListFrame>
      {isCreating ? (
        <PromptDialog
          project={project}
          onDone={(slug) => router.push(`/p/${project}/prompts/${slug}`)}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </PageBody>
  );
}
