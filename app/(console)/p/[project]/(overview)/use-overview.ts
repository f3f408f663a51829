'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { AlertBoard, Changes, Overview, Trust } from '@/app/_trpc/outputs';
import type { FirstHistory } from './pass-rate-panel';
import type { Days } from './period';

/** Data loaded with the page; null if a part could not be loaded. */
export interface FirstOverview {
  readonly overview: Overview;
  readonly changes: Changes | null;
  readonly trusts: readonly Trust[] | null;
  readonly board: AlertBoard | null;
  readonly history: FirstHistory | null;
}

/** Pushed events report neither that checks have stopped nor that a day has ended. */
const pollMs = 60_000;

/** The page's data. Each part is loaded separately: a failure leaves the others intact. */
export function useOverview(project: string, days: Days, first: FirstOverview) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const input = { project, days };
  const options = trpc.verdicts.overview.queryOptions(input, {
    initialData: first.overview,
    placeholderData: keepPreviousData,
  });
  const overview = useQuery(options);
  const changes = useQuery(
    trpc.verdicts.changes.queryOptions(input, {
      ...(first.changes !== null && { initialData: first.changes }),
      placeholderData: keepPreviousData,
      refetchInterval: pollMs,
    }),
  );
  const trusts = useQuery(
    trpc.trust.list.queryOptions(
      { project },
      {
        ...(first.trusts !== null && { initialData: [...first.trusts] }),
        staleTime: pollMs,
        retry: false,
      },
    ),
  );
  const board = useQuery(
    trpc.alerts.board.queryOptions(
      { project },
      { ...(first.board !== null && { initialData: first.board }), refetchInterval: pollMs },
    ),
  );
  const reviewCounts = useQuery(trpc.review.counts.queryOptions({ project }));
  const live = useLive(
    project,
    () => {
      void client.invalidateQueries({ queryKey: options.queryKey });
      void client.invalidateQueries({ queryKey: trpc.review.counts.queryKey({ project }) });
      void client.invalidateQueries({ queryKey: trpc.setup.pathKey() });
      void client.invalidateQueries({ queryKey: trpc.charts.pathKey() });
    },
    3000,
  );
  return { overview, changes, trusts, board, reviewCounts, live };
}
