'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { may } from '@/app/(console)/pages';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { ErrorPanel, Panel, Skeleton } from '@/app/_ui/panel';
import { MissionDialog } from './mission-dialog';
import { VerdictsByVerifier } from '../verdicts-by-verifier';
import { MissionFacts } from './mission-facts';

interface MissionPanelProps {
  project: string;
  mission: string;
}

/** The cost of the list's mission, with its own judge and review limit. */
export function MissionPanel({ project, mission }: MissionPanelProps) {
  const trpc = useTRPC();
  const [isOpen, setOpen] = useState(false);
  const opened = useQuery(trpc.projects.get.queryOptions({ project }));
  const { data, error, refetch } = useQuery(trpc.missions.get.queryOptions({ project, mission }));
  const mayWrite = opened.data !== undefined && may(opened.data, 'settings.write');
  if (error) {
    return (
      <ErrorPanel
        what="The mission could not be read"
        works="Its verdicts are still listed."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Panel
      title="Mission"
      aside={
        mayWrite && data !== undefined ? (
          <Button onClick={() => setOpen(true)}>Edit settings</Button>
        ) : null
      }
    >
      <div className="grid gap-4 p-4">
        {data === undefined ? <Skeleton className="h-16" /> : <MissionFacts page={data} />}
        <VerdictsByVerifier project={project} of={{ mission }} />
        {isOpen && data !== undefined ? (
          <MissionDialog
            project={project}
            mission={mission}
            page={data}
            onClose={() => setOpen(false)}
          />
        ) : null}
      </div>
    </Panel>
  );
}
