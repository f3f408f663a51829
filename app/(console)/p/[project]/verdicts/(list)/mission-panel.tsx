'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { may } from '@/app/(console)/pages';
import { useTRPC } from '@/app/_trpc/client';
import type { MissionPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { ErrorPanel, Panel, Skeleton } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../traces/amounts';
import { Facts } from '../[id]/block';
import { MissionDialog } from './mission-dialog';

interface MissionPanelProps {
  project: string;
  mission: string;
}

/** What the mission of the list cost, and its own judge and review limit. */
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
        works="Its verdicts are listed all the same."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Panel title="Mission" aside={mayWrite && data !== undefined ? <Button onClick={() => setOpen(true)}>Edit settings</Button> : null}>
      <div className="p-4">
        {data === undefined ? <Skeleton className="h-16" /> : <Facts list={factsOf(data)} />}
        {isOpen && data !== undefined ? (
          <MissionDialog project={project} mission={mission} page={data} onClose={() => setOpen(false)} />
        ) : null}
      </div>
    </Panel>
  );
}

type Fact = Parameters<typeof Facts>[0]['list'][number];

function factsOf({ mission, settings }: MissionPage): readonly Fact[] {
  const { judge, reviewAboveUsd } = settings;
  return [
    ...(mission === null ? [] : costFacts(mission)),
    [
      'Judge',
      judge === null ? (
        'Default judge of the project'
      ) : (
        <code key="judge" className="text-12 font-mono">
          <VisibleText text={judge} />
        </code>
      ),
    ],
    ['Human review', reviewAboveUsd === null ? 'No cost limit' : `Above ${costText(reviewAboveUsd)}`],
  ];
}

function costFacts({ tasks, counts, workUsd, judgingUsd, priceUnknown }: NonNullable<MissionPage['mission']>): readonly Fact[] {
  return [
    ['Tasks', tasks.toLocaleString('en')],
    ['Work', workUsd === null ? 'Unknown' : costText(workUsd)],
    ['Judging', `${priceUnknown ? 'At least ' : ''}${costText(judgingUsd)}`],
    ['Awaiting review', counts.awaitingReview.toLocaleString('en')],
  ];
}
