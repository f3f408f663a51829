'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { may } from '@/app/(console)/pages';
import { useTRPC } from '@/app/_trpc/client';
import type { AlertBoard, AlertPage, Project } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Age } from '@/app/_ui/moment';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ErrorPanel } from '@/app/_ui/panel';
import { SlidingParts } from '@/app/_ui/sliding-parts';
import { AlertingPanel, QuietPanel } from './board-panels';
import type { Filters } from './filters';
import { HistoryPanel } from './history-panel';
import { AlertsUnchecked } from './alerts-unchecked';

interface AlertsViewProps {
  project: Project;
  initial: AlertBoard;
  first: AlertPage;
  firstFilters: Filters;
}

/** Pushed events report each check, but not that checks have stopped: poll for that. */
const everyMs = 60_000;

export function AlertsView({ project, initial, first, firstFilters }: AlertsViewProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { slug } = project;
  const mayWrite = may(project, 'settings.write');
  const board = useQuery(
    trpc.alerts.board.queryOptions(
      { project: slug },
      { initialData: initial, refetchInterval: everyMs },
    ),
  );
  const checkNow = useMutation(
    trpc.alerts.look.mutationOptions({
      onSuccess: () => {
        announce('All alerts checked');
        void client.invalidateQueries({ queryKey: trpc.alerts.pathKey() });
      },
    }),
  );
  const { alerts, checkedAt, isStale } = board.data;
  return (
    <PageBody>
      <PageHead title="Alerts" sub="Checked every minute.">
        <div className="flex flex-wrap items-center gap-4">
          <span className="text-12 text-ink-3">
            {checkedAt === null ? (
              'Not checked yet'
            ) : (
              <>
                Checked <Age at={checkedAt} /> ago
              </>
            )}
          </span>
          <Link href={`/p/${slug}/settings/alerts`} className="text-ink-2 hover:text-ink underline">
            Rules
          </Link>
          {mayWrite ? (
            <Button busy={checkNow.isPending} onClick={() => checkNow.mutate({ project: slug })}>
              Check now
            </Button>
          ) : null}
        </div>
      </PageHead>
      <FieldError text={checkNow.error ? problemOf(checkNow.error).message : null} />
      {board.error ? (
        <ErrorPanel
          what="Alerts could not be refreshed"
          works="The page shows the last loaded data; alerts are still checked and sent."
          problem={problemOf(board.error)}
          onRetry={() => void board.refetch()}
        />
      ) : null}
      <SlidingParts>
        {isStale ? <AlertsUnchecked checkedAt={checkedAt} /> : null}
        <AlertingPanel
          project={slug}
          board={board.data}
          mayAcknowledge={may(project, 'labels.write')}
        />
        <QuietPanel project={slug} alerts={alerts} />
        <HistoryPanel
          project={slug}
          first={first}
          firstFilters={firstFilters}
          mayWrite={mayWrite}
        />
      </SlidingParts>
    </PageBody>
  );
}
