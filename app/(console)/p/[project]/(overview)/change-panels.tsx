'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { ComparedPanel } from './compared-panel';
import { NewlyFailingPanel } from './newly-failing-panel';
import type { Days } from './period';
import { SettingsPanel } from './settings-panel';

interface ChangePanelsProps {
  project: string;
  days: Days;
  mayAudit: boolean;
}

/**
 * What changed in the period; loaded separately, so that a failure leaves the numbers above intact.
 */
export function ChangePanels({ project, days, mayAudit }: ChangePanelsProps) {
  const trpc = useTRPC();
  const { data, error, refetch, isPending } = useQuery(
    trpc.verdicts.changes.queryOptions(
      { project, days },
      { placeholderData: keepPreviousData, refetchInterval: 60_000 },
    ),
  );
  if (data === undefined) {
    if (isPending) return <Skeleton className="h-40" />;
    return (
      <ErrorPanel
        what="What changed could not be read"
        works="The numbers and the latest failures are still valid; verification continues."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <>
      <ComparedPanel project={project} changes={data} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <NewlyFailingPanel project={project} changes={data} />
        <SettingsPanel project={project} changes={data} mayAudit={mayAudit} />
      </div>
    </>
  );
}
