'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { Project, Setup } from '@/app/_trpc/outputs';
import { CopyText } from '@/app/_ui/copy-text';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';
import { FullSetup } from './setup-panel';

/**
 * Empty state: the steps of the first hour with the one command that sends a turn, and the demo.
 */
export function FirstTurn({ project, setup }: { project: Project; setup: Setup | null }) {
  const router = useRouter();
  const trpc = useTRPC();
  const client = useQueryClient();
  const [readAt, setReadAt] = useState(() => Date.now());
  const live = useLive(project.slug, () => {
    void client.invalidateQueries({ queryKey: trpc.setup.pathKey() });
    router.refresh();
    setReadAt(Date.now());
  });
  return (
    <PageBody narrow>
      <PageHead
        title="Overview"
        sub="Nothing has been received yet. This page updates when the first turn arrives."
      >
        <LiveMark state={live} readAt={readAt} />
      </PageHead>
      <FullSetup project={project} initial={setup} />
      <Panel title="Or try the demo first">
        <div className="grid gap-4 p-4">
          <p>
            Run this in the folder where you started Assay. It creates a separate project, Demo,
            with four weeks of work by scripted agents, faults planted at a known rate, and labels
            by scripted reviewers. Its pages are marked as simulated, and one click removes it.
          </p>
          <CopyText label="Command that creates the demo" text={`${project.command} demo`} />
        </div>
      </Panel>
    </PageBody>
  );
}
