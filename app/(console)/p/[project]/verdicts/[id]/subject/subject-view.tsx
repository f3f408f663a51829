'use client';

import { useMemo } from 'react';
import type { VerdictSubject } from '@/app/_trpc/outputs';
import { VerdictLayout, type VerdictPageProps, VerdictPart } from '../verdict-layout';
import { RequestColumn } from './request-column';
import { sortScores } from './criterion-scores';
import { JudgedColumn, JudgedDetails } from './judged-column';
import { OutputColumn } from './output-column';
import { QuoteLinkingProvider } from './quote-linking';
import { quotesByText } from './quote-pieces';
import { TroubleBlock } from './trouble-block';
import { troubleOf } from './words';

interface SubjectViewProps extends VerdictPageProps {
  subject: VerdictSubject;
}

/** A verdict on a subject sent by a caller: the request, the work, the findings. */
export function SubjectView({ subject, ...page }: SubjectViewProps) {
  const { project, verdict } = page;
  const { scores } = verdict;
  const quotes = useMemo(() => quotesByText(scores), [scores]);
  const sorted = useMemo(() => sortScores(subject, scores), [subject, scores]);
  const trouble = troubleOf(verdict);
  const judged = { project, verdict, subject, sorted };
  return (
    <QuoteLinkingProvider>
      <VerdictLayout
        {...page}
        subject={subject}
        evidence={
          <>
            {trouble === null ? null : <TroubleBlock project={project} trouble={trouble} />}
            <JudgedColumn {...judged} />
          </>
        }
        transcript={
          <>
            <VerdictPart name="Request">
              <RequestColumn
                subject={subject}
                criteria={sorted.criteria}
                scores={scores}
                quotes={quotes}
              />
            </VerdictPart>
            <VerdictPart name="Output">
              <OutputColumn project={project} subject={subject} scores={scores} quotes={quotes} />
            </VerdictPart>
          </>
        }
        details={<JudgedDetails {...judged} />}
      />
    </QuoteLinkingProvider>
  );
}
