'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import type { VerdictDetail } from '@/app/_trpc/outputs';
import { useKeys } from '@/app/_ui/keyboard';
import { neighbours, recallList, rememberList } from '../list-memory';
import { AnswerColumn } from './answer-column';
import { AttemptList } from './attempt-list';
import { Block, LongText } from './block';
import { EvidenceColumn } from './evidence-column';
import { LinkingProvider } from './linking';
import { SourcesColumn } from './sources-column';
import { SettledHead, UnsettledHead } from './verdict-head';

interface VerdictViewProps {
  project: string;
  detail: VerdictDetail;
}

const noFigures: [] = [];

export function VerdictView({ project, detail }: VerdictViewProps) {
  useVerdictKeys(project, detail);
  const { verdict, turn } = detail;
  const settled = verdict.state === 'settled' ? verdict : null;
  return (
    <LinkingProvider>
      <div className="flex flex-col gap-4 px-4 py-4 md:px-6 xl:h-dvh xl:pb-0">
        {verdict.state === 'settled' ? <SettledHead verdict={verdict} project={project} /> : <UnsettledHead verdict={verdict} project={project} />}
        <div className="grid gap-4 xl:min-h-0 xl:flex-1 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)_360px] xl:grid-rows-[minmax(0,1fr)]">
          <Column name="Answer" place="xl:order-2">
            {settled ? (
              <AnswerColumn verdict={settled} turn={turn} />
            ) : (
              <Block title="Answer">
                <LongText text={turn?.output ?? ''} />
              </Block>
            )}
          </Column>
          <Column name="Evidence" place="xl:order-3">
            {settled ? <EvidenceColumn verdict={settled} detail={detail} project={project} /> : <AttemptList attempts={detail.attempts} />}
          </Column>
          <Column name="Sources" place="xl:order-1">
            {turn ? (
              <SourcesColumn figures={settled?.integrity?.figures ?? noFigures} turn={turn} project={project} />
            ) : (
              <p className="text-ink-2">The turn is no longer stored.</p>
            )}
          </Column>
        </div>
      </div>
    </LinkingProvider>
  );
}

/** On a wide screen each column scrolls by itself, so that an answer and its source stand side by side. */
function Column({ name, place, children }: { name: string; place: string; children: ReactNode }) {
  return (
    <div role="region" aria-label={name} tabIndex={0} className={`${place} min-w-0 xl:-mx-1 xl:overflow-y-auto xl:px-1 xl:pb-4`}>
      {children}
    </div>
  );
}

/** j and k follow the list that the person came from; without one, the order of all verdicts. */
function useVerdictKeys(project: string, { verdict, previousId, nextId }: VerdictDetail): void {
  const router = useRouter();
  const open = (step: 'previous' | 'next') => {
    const memory = recallList(project);
    const around = neighbours(memory, verdict.id) ?? { previous: previousId, next: nextId };
    const id = around[step];
    if (id === null) return;
    if (memory) rememberList(project, { ...memory, at: id });
    // Replaced, not pushed: back leads to the list, however many verdicts were read.
    router.replace(`/p/${project}/verdicts/${encodeURIComponent(id)}`);
  };
  const moveFigure = (step: 1 | -1) => {
    const marks = [...document.querySelectorAll<HTMLElement>('[data-figure]')];
    const at = marks.findIndex((mark) => mark === document.activeElement);
    const target = at === -1 ? marks[step === 1 ? 0 : marks.length - 1] : marks[at + step];
    target?.focus();
  };
  useKeys({
    j: () => open('next'),
    k: () => open('previous'),
    n: () => moveFigure(1),
    p: () => moveFigure(-1),
    Escape: () => router.push(`/p/${project}/verdicts${recallList(project)?.search ?? ''}`),
  });
}
