'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ReviewContent, ReviewItem, VerdictDetail, VerdictSubject } from '@/app/_trpc/outputs';
import { type Problem, problemOf } from '@/app/_trpc/problem';

/** The judged work does not change while a person reads it. */
const staleTime = 60_000;

export interface ItemContent {
  readonly content: ReviewContent | null;
  /** The verdict as on its own page; never loaded while the item is blind. */
  readonly verdict: VerdictDetail | null;
  /** Its subject, when it is not a turn. */
  readonly subject: VerdictSubject | null;
  /** The verdict is still loading; the judged work can be read meanwhile. */
  readonly isReading: boolean;
  readonly problem: Problem | null;
  readonly retry: () => void;
}

/**
 * The content of an item; the next ones are prefetched, so that a ruling never waits. During an
 * undo, the content loaded before the ruling: the server would still return the verdicts of the
 * verifier and others.
 */
export function useItemContent(
  project: string,
  item: ReviewItem | null,
  upcoming: readonly ReviewItem[],
  isTakingBack: boolean,
): ItemContent {
  const trpc = useTRPC();
  const client = useQueryClient();
  const enabled = item !== null && !isTakingBack;
  const isUnblinded = item !== null && !item.blind;
  const contentOf = (id: string) =>
    trpc.review.content.queryOptions({ project, item: id }, { staleTime });
  const verdictOf = (id: string) => trpc.verdicts.get.queryOptions({ project, id }, { staleTime });
  const subjectOf = (id: string) =>
    trpc.verifiers.subject.queryOptions({ project, id }, { staleTime });
  const content = useQuery({ ...contentOf(item?.id ?? ''), enabled });
  const verdict = useQuery({ ...verdictOf(item?.verdictId ?? ''), enabled: isUnblinded });
  const subject = useQuery({
    ...subjectOf(item?.verdictId ?? ''),
    enabled: isUnblinded && verdict.data !== undefined && verdict.data.subjectKind !== 'turn',
  });
  const ahead = upcoming.map(({ id }) => id).join(' ');
  const readAhead = useEffectEvent(() => {
    for (const { id, verdictId, blind } of upcoming) {
      void client.prefetchQuery(contentOf(id));
      if (!blind) void client.prefetchQuery(verdictOf(verdictId));
    }
  });
  useEffect(() => readAhead(), [ahead]);
  return {
    content: content.data ?? null,
    verdict: isUnblinded ? (verdict.data ?? null) : null,
    subject: isUnblinded ? (subject.data ?? null) : null,
    isReading: isUnblinded && (verdict.isLoading || subject.isLoading),
    problem: content.error
      ? problemOf(content.error)
      : verdict.error
        ? problemOf(verdict.error)
        : null,
    retry: () => {
      void content.refetch();
      if (isUnblinded) void verdict.refetch();
    },
  };
}
