'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type {
  CheckpointView as Checkpoint,
  VerdictDetail,
  VerdictSubject,
} from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { AttemptList } from '../attempt-list';
import { Block, LongText } from '../block';
import { Column } from '../column';
import { PeoplePanel } from '../people-panel';
import { RefreshWhilePending } from '../refresh-while-pending';
import { ScoreList } from '../score-list';
import { FollowsBlock, JudgeBlock, OriginBlock } from '../subject/fact-blocks';
import { IssueBlock } from '../subject/judged-column';
import { TroubleBlock } from '../subject/trouble-block';
import { troubleOf, waitsFor } from '../subject/words';
import { useVerdictKeys } from '../use-verdict-keys';
import { SettledHead, UnsettledHead } from '../verdict-head';
import { AskedOfAgent, OutputBlock, OutputCard } from './agent-output-parts';
import { AskedOfPlanner, DecompositionCard } from './decomposition-parts';
import { PlanBlock } from './plan-block';
import { AnswerBlock, ClaimsBlock, SourceBlocks, SynthesisCard } from './synthesis-parts';

interface CheckpointViewProps {
  project: string;
  verdict: VerdictDetail;
  subject: VerdictSubject;
  checkpoint: Checkpoint;
  /** Whether the reader's role permits overruling and grading. */
  mayRule: boolean;
}

/** A verdict at a checkpoint of a pipeline: the request, the work, the findings. */
export function CheckpointView({
  project,
  verdict,
  subject,
  checkpoint,
  mayRule,
}: CheckpointViewProps) {
  useVerdictKeys(project, verdict);
  const isSettled = verdict.state === 'settled';
  const parts = partsOf(checkpoint, verdict);
  return (
    <div className="flex flex-col gap-4 px-4 py-4 md:px-6 xl:h-dvh xl:pb-0">
      {isSettled ? (
        <SettledHead verdict={verdict} project={project} />
      ) : (
        <>
          <UnsettledHead verdict={verdict} project={project} waitsFor={waitsFor(subject)} />
          <RefreshWhilePending />
        </>
      )}
      <PipelineLink project={project} subject={subject} />
      <div className="grid gap-4 xl:min-h-0 xl:flex-1 xl:grid-cols-[minmax(0,0.9fr)_minmax(0,1.3fr)_380px] xl:grid-rows-[minmax(0,1fr)]">
        <Column name={parts.name} place="xl:order-2">
          <div className="grid content-start gap-4">{parts.work}</div>
        </Column>
        <Column name="Evidence" place="xl:order-3">
          {isSettled ? (
            <Evidence
              project={project}
              verdict={verdict}
              subject={subject}
              checkpoint={checkpoint}
              mayRule={mayRule}
              card={parts.card}
            />
          ) : (
            <AttemptList attempts={verdict.attempts} />
          )}
        </Column>
        <Column name="Asked" place="xl:order-1">
          <div className="grid content-start gap-4">{parts.asked}</div>
        </Column>
      </div>
    </div>
  );
}

interface Parts {
  /** Title of the work's column. */
  readonly name: string;
  readonly asked: ReactNode;
  readonly work: ReactNode;
  readonly card: ReactNode;
}

type PartsByKind = {
  readonly [Kind in Checkpoint['kind']]: (
    checkpoint: Extract<Checkpoint, { kind: Kind }>,
    verdict: VerdictDetail,
  ) => Parts;
};

const partsByKind: PartsByKind = {
  decomposition: (checkpoint, verdict) => ({
    name: 'Decomposition',
    asked: <AskedOfPlanner decomposition={checkpoint} />,
    work: <PlanBlock decomposition={checkpoint} issues={verdict.issues} />,
    card: <DecompositionCard decomposition={checkpoint} verdict={verdict} />,
  }),
  'agent-output': (checkpoint) => ({
    name: 'Output',
    asked: <AskedOfAgent output={checkpoint} />,
    work: <OutputBlock output={checkpoint} />,
    card: <OutputCard output={checkpoint} />,
  }),
  synthesis: (checkpoint, verdict) => ({
    name: 'Answer',
    asked: <SourceBlocks synthesis={checkpoint} />,
    work: <AnswerBlock synthesis={checkpoint} isSettled={verdict.state === 'settled'} />,
    card: (
      <>
        <SynthesisCard synthesis={checkpoint} />
        <ClaimsBlock synthesis={checkpoint} />
      </>
    ),
  }),
};

export const partsOf = (checkpoint: Checkpoint, verdict: VerdictDetail): Parts =>
  (partsByKind[checkpoint.kind] as (checkpoint: Checkpoint, verdict: VerdictDetail) => Parts)(
    checkpoint,
    verdict,
  );

/** The checkpoints of one request are together on a separate page. */
function PipelineLink({
  project,
  subject: { traceId, sessionId },
}: {
  project: string;
  subject: VerdictSubject;
}) {
  const pipeline = traceId ?? sessionId;
  if (pipeline === null) return null;
  return (
    <p className="text-ink-2">
      One checkpoint of{' '}
      <Link
        href={`/p/${project}/checkpoints/${encodeURIComponent(pipeline)}`}
        prefetch={false}
        className="underline"
      >
        its pipeline
      </Link>
      .
    </p>
  );
}

function Evidence({
  project,
  verdict,
  subject,
  checkpoint,
  mayRule,
  card,
}: CheckpointViewProps & { card: ReactNode }) {
  const trouble = troubleOf(verdict);
  const { error, warning, suggestions, retryFeedback } = checkpoint;
  // The substitute for an answer is below it, with its warning and its reason.
  const fallback = 'fallback' in checkpoint ? checkpoint.fallback : null;
  const shown: readonly (string | undefined)[] = [fallback?.warning, fallback?.reason];
  const wrong = [error, warning].flatMap((text) =>
    text === null || shown.includes(text) ? [] : [text],
  );
  // Suggestions are separate here: they may exist even if no judge was called.
  const judged = { ...subject, detail: { ...subject.detail, suggestions: [] } };
  return (
    <div className="grid content-start gap-4">
      {trouble === null ? null : <TroubleBlock project={project} trouble={trouble} />}
      {card}
      {wrong.length === 0 ? null : (
        <Block title="What went wrong">
          <div className="grid gap-2">
            {wrong.map((text, at) => (
              <LongText key={at} text={text} />
            ))}
          </div>
        </Block>
      )}
      <PeoplePanel project={project} verdict={verdict} mayRule={mayRule} />
      <IssueBlock issues={verdict.issues} />
      {suggestions.length === 0 ? null : (
        <Block title="Suggestions">
          <ul aria-label="Suggestions" className="grid list-disc gap-1 pl-4">
            {suggestions.map((text, at) => (
              <li key={at} className="[overflow-wrap:anywhere]">
                <VisibleText text={text} />
              </li>
            ))}
          </ul>
        </Block>
      )}
      <FollowsBlock project={project} verdict={verdict} subject={subject} />
      {verdict.judging.calls > 0 ? (
        <JudgeBlock project={project} verdict={verdict} subject={judged} />
      ) : null}
      {retryFeedback === null ? null : (
        <Block title="Feedback for the next attempt">
          <LongText text={retryFeedback} />
        </Block>
      )}
      <Block title="Measurements">
        <ScoreList scores={verdict.scores} />
      </Block>
      <OriginBlock project={project} verdict={verdict} subject={subject} />
      <AttemptList attempts={verdict.attempts} />
    </div>
  );
}
