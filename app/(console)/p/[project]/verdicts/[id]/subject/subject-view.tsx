'use client';

import { useMemo } from 'react';
import type { VerdictDetail, VerdictSubject } from '@/app/_trpc/outputs';
import { AttemptList } from '../attempt-list';
import { Column } from '../column';
import { PeoplePanel } from '../people-panel';
import { RefreshWhilePending } from '../refresh-while-pending';
import { useVerdictKeys } from '../use-verdict-keys';
import { SettledHead, UnsettledHead } from '../verdict-head';
import { AskedColumn } from './asked-column';
import { sortScores } from './criterion-scores';
import { JudgedColumn } from './judged-column';
import { OutputColumn } from './output-column';
import { QuoteLinkingProvider } from './quote-linking';
import { quotesByText } from './quote-pieces';
import { TroubleBlock } from './trouble-block';
import { troubleOf, waitsFor } from './words';

interface SubjectViewProps {
  project: string;
  verdict: VerdictDetail;
  subject: VerdictSubject;
  /** Whether the reader's role permits overruling and grading. */
  mayRule: boolean;
}

/** A verdict on a subject sent by a caller: the request, the work, the findings. */
export function SubjectView({ project, verdict, subject, mayRule }: SubjectViewProps) {
  useVerdictKeys(project, verdict);
  const { scores } = verdict;
  const quotes = useMemo(() => quotesByText(scores), [scores]);
  const sorted = useMemo(() => sortScores(subject, scores), [subject, scores]);
  const trouble = troubleOf(verdict);
  const isSettled = verdict.state === 'settled';
  return (
    <QuoteLinkingProvider>
      <div className="flex flex-col gap-4 px-4 py-4 md:px-6 xl:h-dvh xl:pb-0">
        {isSettled ? (
          <SettledHead verdict={verdict} project={project} />
        ) : (
          <>
            <UnsettledHead verdict={verdict} project={project} waitsFor={waitsFor(subject)} />
            <RefreshWhilePending />
          </>
        )}
        <div className="grid gap-4 xl:min-h-0 xl:flex-1 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)_380px] xl:grid-rows-[minmax(0,1fr)]">
          <Column name="Output" place="xl:order-2">
            <OutputColumn project={project} subject={subject} scores={scores} quotes={quotes} />
          </Column>
          <Column name="Evidence" place="xl:order-3">
            {isSettled ? (
              <div className="grid gap-4">
                {trouble === null ? null : <TroubleBlock project={project} trouble={trouble} />}
                <PeoplePanel project={project} verdict={verdict} mayRule={mayRule} />
                <JudgedColumn
                  project={project}
                  verdict={verdict}
                  subject={subject}
                  sorted={sorted}
                />
              </div>
            ) : (
              <AttemptList attempts={verdict.attempts} />
            )}
          </Column>
          <Column name="Asked" place="xl:order-1">
            <AskedColumn
              subject={subject}
              criteria={sorted.criteria}
              scores={scores}
              quotes={quotes}
            />
          </Column>
        </div>
      </div>
    </QuoteLinkingProvider>
  );
}
