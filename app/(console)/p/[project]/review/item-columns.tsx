'use client';

import dynamic from 'next/dynamic';
import type { ReactNode, RefObject } from 'react';
import type { ReviewItem } from '@/app/_trpc/outputs';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { LinkingProvider } from '../verdicts/[id]/linking';
import { QuoteLinkingProvider } from '../verdicts/[id]/subject/quote-linking';
import type { Ruled } from './review-state';
import { LastRuling } from './last-ruling';
import { PlainWork } from './plain-work';
import type { ItemContent } from './use-item-content';
import { PolicyCard, VerdictCard, WhyCard } from './verdict-card';

// Loaded while the reviewer reads the first item; the parts next to it are loaded with the page,
// since a ruling given offline needs them.
const SightedWork = dynamic(
  () => import('./unblinded-work').then((module) => module.UnblindedWork),
  {
    loading: LoadingItem,
  },
);
const SightedEvidence = dynamic(() =>
  import('./unblinded-work').then((module) => module.UnblindedEvidence),
);

interface ItemColumnsProps {
  project: string;
  item: ReviewItem | null;
  read: ItemContent;
  isLoading: boolean;
  /** This person's latest ruling. */
  last: Ruled | null;
  contentRef: RefObject<HTMLDivElement | null>;
  onUndo: (at: number) => void;
  /** Shown instead of an item. */
  empty: ReactNode;
}

const column = 'min-w-0 xl:-mx-1 xl:overflow-y-auto xl:px-1 xl:pb-4';

/** The shown item: the work and the verifier's evidence, linked to each other. */
export function ItemColumns({
  project,
  item,
  read,
  isLoading,
  last,
  contentRef,
  onUndo,
  empty,
}: ItemColumnsProps) {
  return (
    <LinkingProvider>
      <QuoteLinkingProvider>
        <div
          ref={contentRef}
          role="region"
          aria-label="Content"
          tabIndex={0}
          className={`${column} outline-offset-[-2px] xl:order-2`}
        >
          {item === null ? (
            isLoading ? (
              <Loading name="Loading items" />
            ) : (
              empty
            )
          ) : (
            <Work project={project} read={read} />
          )}
        </div>
        <div role="region" aria-label="Evidence" tabIndex={0} className={`${column} xl:order-3`}>
          <div className="grid content-start gap-4">
            {last === null ? null : <LastRuling project={project} ruled={last} onUndo={onUndo} />}
            {item === null || read.content === null ? null : (
              <>
                <VerdictCard
                  project={project}
                  item={item}
                  seen={item.blind ? null : read.content.seen}
                />
                <WhyCard item={item} />
                {read.verdict !== null && hasSubject(read) ? (
                  <SightedEvidence
                    project={project}
                    verdict={read.verdict}
                    subject={read.subject}
                  />
                ) : null}
                <PolicyCard
                  project={project}
                  verifier={item.verifier}
                  policy={read.content.policy}
                />
              </>
            )}
          </div>
        </div>
      </QuoteLinkingProvider>
    </LinkingProvider>
  );
}

/**
 * A verdict on a subject other than a turn needs that subject; otherwise the item is shown as plain
 * text.
 */
function hasSubject({ verdict, subject }: ItemContent): boolean {
  return verdict !== null && (verdict.subjectKind === 'turn' || subject !== null);
}

function Work({ project, read }: { project: string; read: ItemContent }) {
  const { content, verdict, subject, isReading, problem, retry } = read;
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
        onRetry={retry}
      />
    );
  if (content === null) return failed ?? <LoadingItem />;
  return (
    <div className="grid content-start gap-4">
      {failed}
      {verdict !== null && hasSubject(read) ? (
        <SightedWork project={project} verdict={verdict} subject={subject} />
      ) : isReading ? (
        <LoadingItem />
      ) : (
        <PlainWork content={content} />
      )}
    </div>
  );
}

function LoadingItem() {
  return <Loading name="Loading the item" />;
}

function Loading({ name }: { name: string }) {
  return (
    <div role="status" aria-label={name} className="late grid gap-4">
      <Skeleton className="h-24" />
      <Skeleton className="h-64" />
    </div>
  );
}
