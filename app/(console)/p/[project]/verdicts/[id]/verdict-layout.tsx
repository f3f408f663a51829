'use client';

import type { ReactNode } from 'react';
import type { VerdictDetail, VerdictSubject } from '@/app/_trpc/outputs';
import { AttemptList } from './attempt-list';
import { PeoplePanel } from './people-panel';
import { RefreshWhilePending } from './refresh-while-pending';
import { RulingBar } from './ruling-bar';
import { pendingText } from './subject/words';
import { useVerdictKeys } from './use-verdict-keys';
import { SettledHead, UnsettledHead } from './verdict-head';
import { verdictTitle } from './verdict-title';

export interface VerdictPageProps {
  project: string;
  verdict: VerdictDetail;
  /** Whether the reader's role permits overruling and grading. */
  mayRule: boolean;
}

interface VerdictLayoutProps extends VerdictPageProps {
  /** Null if the subject is a turn. */
  subject: VerdictSubject | null;
  /** The reasons for the verdict, with the failing criterion or figure first. */
  evidence: ReactNode;
  /** The request, its sources and the work, in the order in which they arose. */
  transcript: ReactNode;
  /** Everything else that is known about a settled verdict. */
  details: ReactNode;
}

/**
 * The page of a verdict: why, next to one transcript, then the details. The page scrolls as a whole,
 * and the bar for rulings stays in view.
 */
export function VerdictLayout({
  project,
  verdict,
  mayRule,
  subject,
  evidence,
  transcript,
  details,
}: VerdictLayoutProps) {
  useVerdictKeys(project, verdict);
  const head = { project, verdict, title: verdictTitle(verdict, subject) };
  const isSettled = verdict.state === 'settled';
  return (
    <div className="flex min-h-dvh flex-col gap-4 px-4 pt-4 md:px-6">
      {isSettled ? (
        <SettledHead {...head} />
      ) : subject === null ? (
        <UnsettledHead {...head} />
      ) : (
        <>
          <UnsettledHead {...head} pendingText={pendingText(subject)} />
          <RefreshWhilePending />
        </>
      )}
      <div className="grid flex-1 content-start gap-4 pb-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:grid-rows-[auto_1fr]">
        <VerdictPart name="Evidence">
          {isSettled ? evidence : <AttemptList attempts={verdict.attempts} />}
        </VerdictPart>
        <div className="grid min-w-0 content-start gap-4 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          {transcript}
        </div>
        {isSettled ? (
          <VerdictPart name="Details">
            <PeoplePanel project={project} verdict={verdict} mayRule={mayRule} />
            {details}
            <AttemptList attempts={verdict.attempts} />
          </VerdictPart>
        ) : null}
      </div>
      {isSettled && mayRule ? <RulingBar project={project} verdict={verdict} /> : null}
    </div>
  );
}

/** A named part of the page, to which readers of screens can go. */
export function VerdictPart({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div role="region" aria-label={name} className="grid min-w-0 content-start gap-4">
      {children}
    </div>
  );
}
