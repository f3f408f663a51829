'use client';

import type { ReactNode, RefObject } from 'react';
import type { ReviewItem } from '@/app/_trpc/outputs';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { LinkingProvider } from '../verdicts/[id]/linking';
import { QuoteLinkingProvider } from '../verdicts/[id]/subject/quote-linking';
import { ContextFold } from './context-fold';
import { ItemHead } from './item-head';
import { LastRuling } from './last-ruling';
import { PlainAnswer, PlainContext } from './plain-work';
import type { Ruled } from './review-state';
import { PolicyCard, VerdictCard, WhyCard } from './verdict-card';
import { type ItemContent, marksOf } from './use-item-content';

interface ItemColumnsProps {
  project: string;
  item: ReviewItem | null;
  read: ItemContent;
  isLoading: boolean;
  /** This person's latest ruling. */
  last: Ruled | null;
  contentRef: RefObject<HTMLDivElement | null>;
  onUndo: (at: number) => void;
  onAssigned: (item: ReviewItem) => void;
  /** The similar items. */
  similar: ReactNode;
  /** Shown instead of an item. */
  empty: ReactNode;
}

const column = 'min-w-0 xl:-mx-1 xl:overflow-y-auto xl:px-1 xl:pb-4';

/**
 * The shown item: the answer, which stays in view, its request and context, and the verifier's
 * evidence, linked to each other.
 */
export function ItemColumns(props: ItemColumnsProps) {
  const { project, item, read, isLoading, last, contentRef, onUndo } = props;
  const isEmpty = item === null && !isLoading;
  return (
    <LinkingProvider>
      <QuoteLinkingProvider>
        {isEmpty ? null : (
          <div className="bg-page sticky top-0 z-2 grid max-h-[38dvh] min-w-0 grid-rows-[auto_minmax(0,1fr)] gap-2 pb-2 xl:static xl:z-auto xl:col-start-2 xl:row-start-1 xl:max-h-[46dvh] xl:pb-0">
            {item === null ? (
              <Skeleton className="late h-14" />
            ) : (
              <ItemHead project={project} item={item} onAssigned={props.onAssigned} />
            )}
            <div
              role="region"
              aria-label="Answer"
              tabIndex={0}
              className="min-w-0 overflow-y-auto outline-offset-[-2px]"
            >
              <Answer project={project} read={read} name={item === null ? 'items' : 'the item'} />
            </div>
          </div>
        )}
        <div
          ref={contentRef}
          role="region"
          aria-label="Content"
          tabIndex={0}
          className={`${column} outline-offset-[-2px] xl:col-start-2 ${isEmpty ? 'xl:row-span-2 xl:row-start-1' : 'xl:row-start-2'}`}
        >
          {isEmpty ? (
            props.empty
          ) : (
            <ContextFold>
              <Context project={project} read={read} />
            </ContextFold>
          )}
        </div>
        <div
          role="region"
          aria-label="Evidence"
          tabIndex={0}
          className={`${column} xl:col-start-3 xl:row-span-2 xl:row-start-1`}
        >
          <div className="grid content-start gap-4">
            {last === null ? null : <LastRuling project={project} ruled={last} onUndo={onUndo} />}
            {isEmpty ? null : (
              <Evidence project={project} item={item} read={read} similar={props.similar} />
            )}
          </div>
        </div>
      </QuoteLinkingProvider>
    </LinkingProvider>
  );
}

interface WorkProps {
  project: string;
  read: ItemContent;
}

function Answer({ project, read, name }: WorkProps & { name: string }) {
  const { content, problem, isShown } = read;
  const failed =
    problem === null ? null : (
      <ErrorPanel
        what={content === null ? 'The item could not be read' : 'Its verdict could not be read'}
        works={
          content === null
            ? 'You can rule on the other items: press j for the next one.'
            : 'The judged text is shown without marks.'
        }
        problem={problem}
        onRetry={read.retry}
      />
    );
  if (!isShown || content === null) {
    return (
      failed ?? (
        <div role="status" aria-label={`Loading ${name}`} className="late">
          <Skeleton className="h-28" />
        </div>
      )
    );
  }
  const marks = marksOf(read);
  return (
    <div className="grid content-start gap-4">
      {failed}
      {marks === null ? (
        <PlainAnswer content={content} />
      ) : (
        <marks.parts.UnblindedAnswer
          project={project}
          verdict={marks.verdict}
          subject={marks.subject}
        />
      )}
    </div>
  );
}

function Context({ project, read }: WorkProps) {
  const { content, isShown, problem } = read;
  if (!isShown || content === null)
    return problem === null ? <Skeleton className="late h-64" /> : null;
  const marks = marksOf(read);
  return marks === null ? (
    <PlainContext content={content} />
  ) : (
    <marks.parts.UnblindedContext
      project={project}
      verdict={marks.verdict}
      subject={marks.subject}
    />
  );
}

interface EvidenceProps extends WorkProps {
  item: ReviewItem | null;
  similar: ReactNode;
}

function Evidence({ project, item, read, similar }: EvidenceProps) {
  const { content, isShown, problem } = read;
  if (item === null || !isShown || content === null) {
    return problem === null ? (
      <div className="late grid gap-4">
        <Skeleton className="h-28" />
        <Skeleton className="h-40" />
      </div>
    ) : null;
  }
  const marks = marksOf(read);
  return (
    <>
      <VerdictCard project={project} item={item} seen={item.blind ? null : content.seen} />
      {similar}
      <WhyCard item={item} />
      {marks === null ? null : (
        <marks.parts.UnblindedEvidence
          project={project}
          verdict={marks.verdict}
          subject={marks.subject}
        />
      )}
      <PolicyCard project={project} verifier={item.verifier} policy={content.policy} />
    </>
  );
}
