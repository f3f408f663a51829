'use client';

import { useMutation } from '@tanstack/react-query';
import { type Dispatch, useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ReviewItem } from '@/app/_trpc/outputs';
import { type Problem, problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { reviewLimits } from '@/server/labels/input';
import {
  type ReviewEvent,
  reviewReducer,
  type ReviewState,
  emptyReview,
  isUnsettled,
  type RulingDraft,
  isUnsaved,
  findRulingBatch,
} from './review-state';
import { reviewInput, reviewQuery } from './filters';
import { dropUnsent, recallRuled, rememberRuled } from './ruled-memory';
import { type Counts, type CountsIn, useCounts } from './use-counts';
import { type RulingCallbacks, useRulings } from './use-rulings';

/** Items reserved for one person at a time, and the number below which more are requested. */
const maxReserved = 10;
const few = 5;
/** Reservations are renewed before they end, while the page is visible. */
const renewMs = 300_000;

interface ReviewIn extends CountsIn, RulingCallbacks {
  /** The signed-in user. */
  readonly reader: string;
  readonly initialItem: string | null;
}

export interface ReviewControl extends Omit<Counts, 'countProblem' | 'recount'> {
  readonly state: ReviewState;
  readonly current: ReviewItem | null;
  readonly problem: Problem | null;
  readonly undoProblem: Problem | null;
  readonly reserve: () => void;
  readonly open: (item: string) => void;
  readonly move: (step: 1 | -1) => void;
  /** Several items at once: the shown one is the last. */
  readonly rule: (items: readonly ReviewItem[], said: RulingDraft) => void;
  readonly assigned: (item: ReviewItem) => void;
  /** Undoes the given item, or the latest ruling with all rulings of the same action. */
  readonly undo: (item?: string) => void;
  readonly dismiss: () => void;
}

/** The review queue of the signed-in person: reserved items, rulings, and undo. */
export function useReview({
  reader,
  initialItem,
  onReasonMissing,
  onUndoing,
  ...counted
}: ReviewIn): ReviewControl {
  const { project } = counted;
  const { countProblem, recount, ...counts } = useCounts(counted);
  const { reviewCounts, readAt } = counts;
  const [state, dispatch] = useReducer(reviewReducer, initialItem, emptyReview);
  const rulings = useRulings({
    project,
    reader,
    dispatch,
    onStored: recount,
    onReasonMissing,
    onUndoing,
  });
  useReviewMemory(project, reader, state, dispatch);
  const { next, reserve } = useReservations({ ...counted, reviewCounts, readAt, state, dispatch });

  return {
    ...counts,
    state,
    current: state.items.find(({ id }) => id === state.at) ?? null,
    problem: next.error ? problemOf(next.error) : countProblem,
    undoProblem: rulings.undoProblem,
    reserve,
    open: (item) => dispatch({ type: 'opened', item }),
    move: (step) => dispatch({ type: 'moved', step }),
    rule: (items, said) => {
      for (const item of items) rulings.rule(item, said);
      if (state.items.length <= few && reviewCounts.open > state.items.length) reserve();
    },
    assigned: (item) => {
      dispatch({ type: 'assigned', item });
      recount();
    },
    undo: (target) => {
      const latest = state.ruled.find(
        ({ item, isUndoing }) => !isUndoing && (target === undefined || item.id === target),
      );
      if (latest === undefined) announce('Nothing to undo');
      else if (target !== undefined) rulings.undo(latest);
      else for (const each of findRulingBatch(state, latest)) rulings.undo(each);
    },
    dismiss: () => {
      for (const { item } of state.unstored) dropUnsent(project, reader, item);
      dispatch({ type: 'dismissed' });
    },
  };
}

interface ReservationsIn
  extends Pick<ReviewIn, 'project' | 'filters'>,
    Pick<Counts, 'reviewCounts' | 'readAt'> {
  readonly state: ReviewState;
  readonly dispatch: Dispatch<ReviewEvent>;
}

/** Requests items while few are reserved, and releases those of other filters. */
function useReservations({
  project,
  filters,
  reviewCounts,
  readAt,
  state,
  dispatch,
}: ReservationsIn) {
  const trpc = useTRPC();
  // Run one request at a time: an earlier response must not reserve a released item again.
  const scope = { id: `review ${project}` };
  const query = reviewQuery(filters);
  const requestedQuery = useRef(query);
  const release = useMutation(trpc.review.release.mutationOptions({ scope }));
  const next = useMutation(
    trpc.review.next.mutationOptions({
      scope,
      // The response may not include rulings stored or undone from here on.
      onMutate: () => state.tick,
      onSuccess: (items, { verifier = null, queue = null, assigned = null }, tick) => {
        if (reviewQuery({ verifier, queue, assigned }) === requestedQuery.current)
          dispatch({ type: 'reserved', items, asked: tick });
      },
    }),
  );
  const unsettled = state.ruled.filter(isUnsettled).length;
  // Items with a ruling in flight are still reserved, and come first.
  const reserve = () =>
    next.mutate({
      ...reviewInput(project, filters),
      limit: Math.min(reviewLimits.reserved, maxReserved + unsettled),
    });

  const onFilters = useEffectEvent((now: string) => {
    // Items reserved under other filters are released; those that match the new filters are
    // reserved again.
    if (requestedQuery.current !== now)
      for (const { id } of state.items) release.mutate({ project, item: id });
    requestedQuery.current = now;
    reserve();
  });
  const onCounted = useEffectEvent(() => {
    const hasMore = reviewCounts.open > state.items.length && state.items.length < few;
    const isAging =
      state.items.length > 0 && next.submittedAt > 0 && Date.now() - next.submittedAt > renewMs;
    if ((hasMore || isAging) && !next.isPending && unsettled === 0) reserve();
  });
  useEffect(() => onFilters(query), [query]);
  useEffect(() => onCounted(), [readAt]);
  return { next, reserve };
}

/**
 * Restores rulings after a reload, and asks for confirmation before a page with unsaved rulings is
 * left.
 */
function useReviewMemory(
  project: string,
  reader: string,
  state: ReviewState,
  dispatch: Dispatch<ReviewEvent>,
): void {
  const { ruled, isRecalled } = state;
  const hasUnsaved = isUnsaved(state);
  useEffect(
    () => dispatch({ type: 'recalled', ruled: recallRuled(project, reader) }),
    [project, reader, dispatch],
  );
  useEffect(() => {
    // Before the restore, this would overwrite the stored rulings.
    if (isRecalled) rememberRuled(project, reader, ruled);
  }, [project, reader, ruled, isRecalled]);
  useEffect(() => {
    if (!hasUnsaved) return;
    const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', confirmUnload);
    return () => window.removeEventListener('beforeunload', confirmUnload);
  }, [hasUnsaved]);
}
