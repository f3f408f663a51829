'use client';

import type { VerdictDetail } from '@/app/_trpc/outputs';
import { AnswerColumn } from './answer-column';
import { AttemptList } from './attempt-list';
import { Column } from './column';
import { EvidenceColumn } from './evidence-column';
import { LinkingProvider } from './linking';
import { PeoplePanel } from './people-panel';
import { SourcesColumn } from './sources-column';
import { useVerdictKeys } from './use-verdict-keys';
import { SettledHead, UnsettledHead } from './verdict-head';

interface VerdictViewProps {
  project: string;
  verdict: VerdictDetail;
  /** Whether the reader's role permits overruling and grading. */
  mayRule: boolean;
}

const noFigures: [] = [];

export function VerdictView({ project, verdict, mayRule }: VerdictViewProps) {
  useVerdictKeys(project, verdict);
  const { turn } = verdict;
  const isSettled = verdict.state === 'settled';
  return (
    <LinkingProvider>
      <div className="flex flex-col gap-4 px-4 py-4 md:px-6 xl:h-dvh xl:pb-0">
        {isSettled ? (
          <SettledHead verdict={verdict} project={project} />
        ) : (
          <UnsettledHead verdict={verdict} project={project} />
        )}
        <div className="grid gap-4 xl:min-h-0 xl:flex-1 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)_360px] xl:grid-rows-[minmax(0,1fr)]">
          <Column name="Answer" place="xl:order-2">
            <AnswerColumn verdict={verdict} />
          </Column>
          <Column name="Evidence" place="xl:order-3">
            {isSettled ? (
              <div className="grid gap-4">
                <PeoplePanel project={project} verdict={verdict} mayRule={mayRule} />
                <EvidenceColumn verdict={verdict} project={project} />
              </div>
            ) : (
              <AttemptList attempts={verdict.attempts} />
            )}
          </Column>
          <Column name="Sources" place="xl:order-1">
            {turn ? (
              <SourcesColumn
                figures={verdict.integrity?.figures ?? noFigures}
                turn={turn}
                project={project}
              />
            ) : (
              <p className="text-ink-2">The turn is no longer stored.</p>
            )}
          </Column>
        </div>
      </div>
    </LinkingProvider>
  );
}
