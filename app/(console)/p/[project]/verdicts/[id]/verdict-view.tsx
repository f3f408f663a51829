'use client';

import { AnswerColumn } from './answer-column';
import { EvidenceColumn, TurnDetails } from './evidence-column';
import { LinkingProvider } from './linking';
import { SourcesColumn, TurnNotes } from './sources-column';
import { VerdictLayout, type VerdictPageProps, VerdictPart } from './verdict-layout';

const noFigures: [] = [];

/** A verdict on a turn: the figures or scores that decided, and the turn as the model saw it. */
export function VerdictView(page: VerdictPageProps) {
  const { project, verdict } = page;
  const { turn } = verdict;
  return (
    <LinkingProvider>
      <VerdictLayout
        {...page}
        subject={null}
        evidence={<EvidenceColumn verdict={verdict} />}
        transcript={
          <>
            <VerdictPart name="Sources">
              {turn ? (
                <SourcesColumn
                  figures={verdict.integrity?.figures ?? noFigures}
                  turn={turn}
                  project={project}
                />
              ) : (
                <p className="text-ink-2">The turn is no longer stored.</p>
              )}
            </VerdictPart>
            <VerdictPart name="Answer">
              <AnswerColumn verdict={verdict} />
            </VerdictPart>
            {turn ? <TurnNotes turn={turn} /> : null}
          </>
        }
        details={<TurnDetails verdict={verdict} project={project} />}
      />
    </LinkingProvider>
  );
}
