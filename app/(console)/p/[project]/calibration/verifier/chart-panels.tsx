'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import type { Days } from '@/server/measures/input';
import { CaughtCostPanel } from './caught-cost-panel';
import { ScoreSpreadPanel } from './score-spread-panel';

/**
 * Counts updated as verdicts settle, labelled or not. Loaded separately: a failure leaves the
 * measures intact.
 */
export function ChartPanels({
  project,
  verifier,
  days,
}: {
  project: string;
  verifier: string;
  days: Days;
}) {
  const trpc = useTRPC();
  const input = { project, verifier, days };
  const scores = useQuery(
    trpc.charts.scores.queryOptions(input, { placeholderData: keepPreviousData }),
  );
  const costs = useQuery(
    trpc.charts.caughtCosts.queryOptions(input, { placeholderData: keepPreviousData }),
  );
  const error = scores.error ?? costs.error;
  if (scores.data === undefined || costs.data === undefined) {
    return error === null ? (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
        <Skeleton className="h-[400px]" />
        <Skeleton className="h-[560px]" />
      </div>
    ) : (
      <ErrorPanel
        what="Scores and costs could not be read"
        works="The measures and their rows are still valid; verification continues."
        problem={problemOf(error)}
        onRetry={() => {
          void scores.refetch();
          void costs.refetch();
        }}
      />
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
      <ScoreSpreadPanel histogram={scores.data} />
      <CaughtCostPanel costs={costs.data} />
    </div>
  );
}
