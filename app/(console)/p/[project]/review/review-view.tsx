'use client';

import { useRouter } from 'next/navigation';
import { useQueryState, useQueryStates } from 'nuqs';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ReviewCounts, ReviewItem } from '@/app/_trpc/outputs';
import { announce } from '@/app/_ui/announcer';
import type { ReviewAnswer } from '@/server/labels/input';
import { ReviewAlerts } from './review-alerts';
import { ReviewEmpty } from './review-empty';
import { ReviewHead } from './review-head';
import { isUndoInFlight } from './review-state';
import { overrules } from './review-words';
import { type ReviewFilters, reviewParsers, isFiltered, itemParser, noFilters } from './filters';
import { ItemColumns } from './item-columns';
import { QueueColumn } from './queue-column';
import { RulingBar, type RulingDraft } from './ruling-bar';
import { SimilarCard, useSimilar } from './similar-card';
import { useReview } from './use-review';
import { useReviewKeys } from './use-review-keys';
import { useShownItem } from './use-shown-item';
import { useItemContent } from './use-item-content';

interface ReviewViewProps {
  project: string;
  /** The signed-in user. */
  reader: string;
  /** As counted with `initialFilters`. */
  initial: ReviewCounts;
  initialFilters: ReviewFilters;
  /** All verifiers with verdicts. */
  verifiers: readonly string[];
}

const emptyDraft: RulingDraft = { reason: '', grade: null, asking: null };

/** The review page: the queue, the item, its evidence, and a bar of keys to rule on it. */
export function ReviewView(props: ReviewViewProps) {
  const { project, reader, initial, initialFilters, verifiers } = props;
  const [filters, setFilters] = useQueryStates(reviewParsers, { history: 'push' });
  const [itemId, setItemId] = useQueryState('item', itemParser);
  const reasonRef = useRef<HTMLTextAreaElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const { draftOf, change, drop, requireReason } = useDrafts(reasonRef);
  const review = useReview({
    project,
    reader,
    filters,
    initial,
    initialFilters,
    initialItem: itemId,
    onReasonMissing: (id, said) => requireReason(id, said.answer),
    onUndoing: (id, said) =>
      change(id, { reason: said.reason ?? '', grade: said.grade, asking: null }),
  });
  const { state, current } = review;
  const at = state.items.findIndex(({ id }) => id === current?.id);
  const isUndoing = isUndoInFlight(state);
  const read = useItemContent(project, current, state.items.slice(at + 1, at + 3), isUndoing);
  const draft = draftOf(current?.id ?? '');
  const isReady = current !== null && read.isShown && !isUndoing;
  const group = useSimilar(project, current, isReady, state.ruled);
  const mayWrite = isReady || isUndoing;
  const shownId = current?.id ?? null;
  useItemInUrl(state.isServed, shownId, setItemId);
  const columnsRef = useTopOfItem(shownId);
  const noteFocus = useFocusRestore(shownId, reasonRef, contentRef);

  const send = (answer: ReviewAnswer, { reason, grade }: RulingDraft) => {
    if (current === null) return;
    noteFocus();
    const items = [...group.selected, current];
    const bulk = items.length > 1 ? { of: current.id, items: items.length } : null;
    review.rule(items, { answer, reason: reason.trim() || null, grade, bulk });
    drop(current.id);
  };
  const give = (answer: ReviewAnswer) => {
    const outcome = read.content?.seen?.machine.outcome;
    const needsReason =
      outcome !== undefined && overrules(answer, outcome) && draft.reason.trim() === '';
    if (needsReason && current !== null) requireReason(current.id, answer);
    else send(answer, draft);
  };
  const shownItem = useShownItem({
    item: shownId,
    isReadable: read.isShown,
    isUndoing,
    isReady,
    onAnswer: give,
  });
  const sendReason = (pressedAt: number) => {
    if (draft.asking === null) contentRef.current?.focus();
    else if (draft.reason.trim() !== '') shownItem.answer(draft.asking, pressedAt);
  };
  const open = useOpenVerdict(project, current);
  const undo = (pressedAt: number, item?: string) => {
    // The second click of a double click must not undo a second ruling.
    if (isUndoing && shownItem.isTooSoon(pressedAt)) return;
    noteFocus();
    review.undo(item);
  };
  const move = (step: 1 | -1) => {
    noteFocus();
    review.move(step);
  };
  const isGrading = useReviewKeys({
    onAnswer: shownItem.answer,
    onGrade: (grade) => current !== null && mayWrite && change(current.id, { grade }),
    onReason: () => reasonRef.current?.focus(),
    onSimilar: group.toggle,
    onUndo: undo,
    onMove: move,
    onOpen: open,
  });
  const clear = () => void setFilters(noFilters);

  return (
    <div className="flex min-h-full flex-col gap-3 px-4 pt-4 md:px-6 xl:h-dvh">
      <ReviewHead
        project={project}
        verifiers={verifiers}
        reviewCounts={review.reviewCounts}
        filters={filters}
        live={review.live}
        readAt={review.readAt}
        onChange={(part) => void setFilters(part)}
        onClear={clear}
      />
      <ReviewAlerts review={review} />
      <div
        ref={columnsRef}
        className="flex flex-1 flex-col gap-4 xl:grid xl:min-h-0 xl:grid-cols-[240px_minmax(0,1fr)_340px] xl:grid-rows-[auto_minmax(0,1fr)] xl:content-stretch"
      >
        <ItemColumns
          key={current?.id ?? 'none'}
          project={project}
          item={current}
          read={read}
          isLoading={!state.isServed && review.problem === null}
          last={state.ruled.find(({ isUndoing }) => !isUndoing) ?? null}
          contentRef={contentRef}
          onUndo={undo}
          onAssigned={(item) => {
            noteFocus();
            review.assigned(item);
          }}
          similar={
            <SimilarCard project={project} isBlind={current?.blind === true} control={group} />
          }
          empty={
            <ReviewEmpty
              project={project}
              reviewCounts={review.reviewCounts}
              isNew={verifiers.length === 0 && !review.hasNews}
              isFiltered={isFiltered(filters)}
              onClear={clear}
            />
          }
        />
        <QueueColumn
          state={state}
          open={review.reviewCounts.open}
          onOpen={review.open}
          onUndo={(item, pressedAt) => undo(pressedAt, item)}
        />
      </div>
      <RulingBar
        draft={draft}
        isGrading={isGrading}
        isReady={mayWrite}
        similar={group.selected.length}
        mayUndo={state.ruled.some(({ isUndoing }) => !isUndoing)}
        reasonRef={reasonRef}
        onAnswer={shownItem.answer}
        onGrade={(grade) => current !== null && change(current.id, { grade })}
        onReason={(reason) => current !== null && change(current.id, { reason })}
        onSend={sendReason}
        onLeave={() => {
          if (current !== null) change(current.id, { asking: null });
          contentRef.current?.focus();
        }}
        onUndo={undo}
      />
    </div>
  );
}

function useItemInUrl(
  isServed: boolean,
  shownId: string | null,
  setItemId: (item: string | null) => Promise<unknown>,
): void {
  useEffect(() => {
    if (isServed) void setItemId(shownId);
  }, [shownId, isServed, setItemId]);
}

/** The texts written about items, by item. */
function useDrafts(reasonRef: RefObject<HTMLTextAreaElement | null>) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, RulingDraft>>(new Map());
  const change = (id: string, part: Partial<RulingDraft>) =>
    setDrafts((before) => new Map(before).set(id, { ...(before.get(id) ?? emptyDraft), ...part }));
  return {
    draftOf: (id: string) => drafts.get(id) ?? emptyDraft,
    change,
    drop: (id: string) =>
      setDrafts((before) => new Map([...before].filter(([each]) => each !== id))),
    // Runs after the render that shows the item: until then the field belongs to another item.
    requireReason: (id: string, answer: ReviewAnswer) => {
      change(id, { asking: answer });
      requestAnimationFrame(() => reasonRef.current?.focus());
    },
  };
}

function useOpenVerdict(project: string, item: ReviewItem | null): () => void {
  const router = useRouter();
  return () => {
    if (item === null) return;
    if (item.blind) announce('This review is blind: you can open the verdict after your ruling.');
    else router.push(`/p/${project}/verdicts/${encodeURIComponent(item.verdictId)}`);
  };
}

/**
 * The focused element may disappear with its item, and the reason field then belongs to the next
 * item: the focus moves to the text, and the keys keep working. Call it before the item changes.
 */
function useFocusRestore(
  shownId: string | null,
  reasonRef: RefObject<HTMLTextAreaElement | null>,
  contentRef: RefObject<HTMLDivElement | null>,
): () => void {
  const mayLose = useRef(false);
  useEffect(() => {
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement === reasonRef.current;
    if (mayLose.current && isLost) contentRef.current?.focus({ preventScroll: true });
    mayLose.current = false;
  }, [shownId, reasonRef, contentRef]);
  return () => void (mayLose.current = document.activeElement !== document.body);
}

/** Where the page scrolls as a whole, each item is shown from its beginning. */
function useTopOfItem(shownId: string | null): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if ((ref.current?.getBoundingClientRect().top ?? 0) < 0) ref.current?.scrollIntoView();
  }, [shownId]);
  return ref;
}
