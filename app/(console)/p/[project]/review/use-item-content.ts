'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type * as Parts from './unblinded-work';
import { useTRPC } from '@/app/_trpc/client';
import type { ReviewContent, ReviewItem, VerdictDetail, VerdictSubject } from '@/app/_trpc/outputs';
import { type Problem, problemOf } from '@/app/_trpc/problem';

/** The judged work does not change while a person reads it. */
const staleTime = 60_000;

type UnblindedParts = typeof Parts;

export interface ItemContent {
  readonly content: ReviewContent | null;
  /** The verdict as on its own page; never loaded while the item is blind. */
  readonly verdict: VerdictDetail | null;
  /** Its subject, when it is not a turn. */
  readonly subject: VerdictSubject | null;
  /** The parts that show the verdict; null while they load, or if they cannot be loaded. */
  readonly parts: UnblindedParts | null;
  /** All parts are on the page: a ruling needs a reader who can see the item. */
  readonly isShown: boolean;
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
  isUndoing: boolean,
): ItemContent {
  const trpc = useTRPC();
  const client = useQueryClient();
  const enabled = item !== null && !isUndoing;
  const isUnblinded = item !== null && !item.blind;
  const contentOf = (id: string) =>
    trpc.review.content.queryOptions({ project, item: id }, { staleTime });
  const verdictOf = (id: string) => trpc.verdicts.get.queryOptions({ project, id }, { staleTime });
  const subjectOf = (id: string) =>
    trpc.verifiers.subject.queryOptions({ project, id }, { staleTime });
  const parts = useParts();
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
    parts: parts ?? null,
    isShown:
      content.data !== undefined &&
      !(isUnblinded && (verdict.isLoading || subject.isLoading || parts === undefined)),
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

/** The data for the parts of the verdict; null for an item that is shown as plain text. */
export function marksOf({ parts, verdict, subject }: ItemContent) {
  if (parts === null || verdict === null) return null;
  return verdict.subjectKind === 'turn' || subject !== null ? { parts, verdict, subject } : null;
}

/**
 * Loaded while the reviewer reads the first item, and kept: a ruling given offline needs them.
 * Undefined while they load; null if they cannot be loaded.
 */
function useParts(): UnblindedParts | null | undefined {
  const [parts, setParts] = useState<UnblindedParts | null>();
  useEffect(() => {
    void import('./unblinded-work').then(setParts, () => setParts(null));
  }, []);
  return parts;
}
