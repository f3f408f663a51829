'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type LiveState, useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { ReviewCounts } from '@/app/_trpc/outputs';
import { type Problem, problemOf } from '@/app/_trpc/problem';
import { type ReviewFilters, reviewInput, reviewQuery } from './filters';

/** New items are announced by events; expired reservations are not, so the counts are polled. */
const everyMs = 60_000;

export interface CountsIn {
  readonly project: string;
  readonly filters: ReviewFilters;
  /** As counted with `initialFilters`. */
  readonly initial: ReviewCounts;
  readonly initialFilters: ReviewFilters;
}

export interface Counts {
  /** Counts under the filters. */
  readonly reviewCounts: ReviewCounts;
  readonly readAt: number;
  readonly live: LiveState;
  /** There are new verdicts since the page was opened. */
  readonly hasNews: boolean;
  readonly countProblem: Problem | null;
  readonly recount: () => void;
}

/** The number of open items, kept up to date while the page is open. */
export function useCounts({ project, filters, initial, initialFilters }: CountsIn): Counts {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [hasNews, setHasNews] = useState(false);
  const { data, error, dataUpdatedAt } = useQuery(
    trpc.review.counts.queryOptions(reviewInput(project, filters), {
      placeholderData: keepPreviousData,
      refetchInterval: everyMs,
      ...(reviewQuery(filters) === reviewQuery(initialFilters) && { initialData: initial }),
    }),
  );
  const recount = () => {
    for (const { queryKey } of [
      trpc.review.counts.queryFilter(),
      trpc.review.waiting.queryFilter(),
    ])
      void client.invalidateQueries({ queryKey });
  };
  const live = useLive(project, (news) => {
    if (news !== null && news.settled > 0) setHasNews(true);
    recount();
  });
  return {
    reviewCounts: data ?? initial,
    readAt: dataUpdatedAt,
    live,
    hasNews,
    countProblem: error ? problemOf(error) : null,
    recount,
  };
}
