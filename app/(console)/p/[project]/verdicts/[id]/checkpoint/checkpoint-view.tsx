'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type {
  CheckpointView as Checkpoint,
  VerdictDetail,
  VerdictSubject,
} from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, LongText } from '../block';
import { ScoreList } from '../score-list';
import { FollowsBlock, JudgeBlock, OriginBlock } from '../subject/fact-blocks';
import { IssueBlock } from '../subject/judged-column';
import { TroubleBlock } from '../subject/trouble-block';
import { troubleOf } from '../subject/words';
import { VerdictLayout, type VerdictPageProps, VerdictPart } from '../verdict-layout';
import { AgentRequest, OutputBlock, OutputCard } from './agent-output-parts';
import { PlannerRequest, DecompositionCard } from './decomposition-parts';
import { PlanBlock } from './plan-block';
import { AnswerBlock, ClaimsBlock, SourceBlocks, SynthesisCard } from './synthesis-parts';

interface CheckpointViewProps extends VerdictPageProps {
  subject: VerdictSubject;
  checkpoint: Checkpoint;
}

/** A verdict at a checkpoint of a pipeline: the request, the work, the findings. */
export function CheckpointView({ subject, checkpoint, ...page }: CheckpointViewProps) {
  const { project, verdict } = page;
  const parts = partsOf(checkpoint, verdict);
  const shown = { project, verdict, subject, checkpoint };
  return (
    <VerdictLayout
      {...page}
      subject={subject}
      evidence={<CheckpointEvidence {...shown} card={parts.card} />}
      transcript={
        <>
          <PipelineLink project={project} subject={subject} />
          <VerdictPart name="Request">{parts.request}</VerdictPart>
          <VerdictPart name={parts.name}>{parts.work}</VerdictPart>
        </>
      }
      details={<CheckpointDetails {...shown} />}
    />
  );
}

interface Parts {
  /** Title of the work's part. */
  readonly name: string;
  readonly request: ReactNode;
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
    request: <PlannerRequest decomposition={checkpoint} />,
    work: <PlanBlock decomposition={checkpoint} issues={verdict.issues} />,
    card: <DecompositionCard decomposition={checkpoint} verdict={verdict} />,
  }),
  'agent-output': (checkpoint) => ({
    name: 'Output',
    request: <AgentRequest output={checkpoint} />,
    work: <OutputBlock output={checkpoint} />,
    card: <OutputCard output={checkpoint} />,
  }),
  synthesis: (checkpoint, verdict) => ({
    name: 'Answer',
    request: <SourceBlocks synthesis={checkpoint} />,
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

type PartProps = Omit<CheckpointViewProps, 'mayRule'>;

function CheckpointEvidence({
  project,
  verdict,
  checkpoint,
  card,
}: PartProps & { card: ReactNode }) {
  const trouble = troubleOf(verdict);
  const { error, warning, suggestions, retryFeedback } = checkpoint;
  // The substitute for an answer is below it, with its warning and its reason.
  const fallback = 'fallback' in checkpoint ? checkpoint.fallback : null;
  const shown: readonly (string | undefined)[] = [fallback?.warning, fallback?.reason];
  const wrong = [error, warning].flatMap((text) =>
    text === null || shown.includes(text) ? [] : [text],
  );
  return (
    <>
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
      {retryFeedback === null ? null : (
        <Block title="Feedback for the next attempt">
          <LongText text={retryFeedback} />
        </Block>
      )}
    </>
  );
}

function CheckpointDetails({ project, verdict, subject }: PartProps) {
  // Suggestions are evidence here: they may exist even if no judge was called.
  const judged = { ...subject, detail: { ...subject.detail, suggestions: [] } };
  return (
    <>
      <FollowsBlock project={project} verdict={verdict} subject={subject} />
      {verdict.judging.calls > 0 ? (
        <JudgeBlock project={project} verdict={verdict} subject={judged} />
      ) : null}
      <Block title="Measurements">
        <ScoreList scores={verdict.scores} />
      </Block>
      <OriginBlock project={project} verdict={verdict} subject={subject} />
    </>
  );
}
