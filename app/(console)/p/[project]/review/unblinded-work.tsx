'use client';

import { useMemo } from 'react';
import type { CodeView, VerdictDetail, VerdictSubject, VerdictTurn } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { AnswerColumn } from '../verdicts/[id]/answer-column';
import { Block, LongText } from '../verdicts/[id]/block';
import { partsOf } from '../verdicts/[id]/checkpoint/checkpoint-view';
import { CodeRequestColumn } from '../verdicts/[id]/code/code-request-column';
import { FileColumn } from '../verdicts/[id]/code/file-column';
import { listFindings } from '../verdicts/[id]/code/findings';
import { GateBlock } from '../verdicts/[id]/code/gate-block';
import { IssueBlocks } from '../verdicts/[id]/code/pattern-blocks';
import { PointBars } from '../verdicts/[id]/code/points-card';
import { EvidenceColumn, TurnDetails } from '../verdicts/[id]/evidence-column';
import { ScoreList } from '../verdicts/[id]/score-list';
import { SourcesColumn } from '../verdicts/[id]/sources-column';
import { RequestColumn } from '../verdicts/[id]/subject/request-column';
import { sortScores } from '../verdicts/[id]/subject/criterion-scores';
import { FollowsBlock } from '../verdicts/[id]/subject/fact-blocks';
import { IssueBlock, JudgedColumn, JudgedDetails } from '../verdicts/[id]/subject/judged-column';
import { OutputColumn } from '../verdicts/[id]/subject/output-column';
import { quotesByText } from '../verdicts/[id]/subject/quote-pieces';
import { TroubleBlock } from '../verdicts/[id]/subject/trouble-block';
import { troubleOf } from '../verdicts/[id]/subject/words';
import { Stack } from './plain-work';

interface UnblindedProps {
  project: string;
  verdict: VerdictDetail;
  /** Null when the verdict is about a turn. */
  subject: VerdictSubject | null;
}

/** The judged answer with the verifier's findings marked in it, as on the page of the verdict. */
export function UnblindedAnswer({ project, verdict, subject }: UnblindedProps) {
  if (subject?.code != null) return <CodeFiles code={subject.code} />;
  if (subject?.checkpoint != null) return partsOf(subject.checkpoint, verdict).work;
  if (subject !== null)
    return <SubjectOutput project={project} verdict={verdict} subject={subject} />;
  return <AnswerColumn verdict={verdict} />;
}

/** The question and the sources. */
export function UnblindedContext({ project, verdict, subject }: UnblindedProps) {
  const { turn, integrity } = verdict;
  if (subject?.code != null) return <CodeRequestColumn code={subject.code} />;
  if (subject?.checkpoint != null) return partsOf(subject.checkpoint, verdict).request;
  if (subject !== null) return <SubjectRequest verdict={verdict} subject={subject} />;
  return (
    <Stack>
      {turn === null ? null : <Messages turn={turn} />}
      {turn === null ? null : (
        <SourcesColumn
          figures={integrity?.figures ?? noFigures}
          turn={{ ...turn, input: [] }}
          project={project}
        />
      )}
    </Stack>
  );
}

/** The evidence of the verdict; each part links to its place in the work, and back. */
export function UnblindedEvidence({ project, verdict, subject }: UnblindedProps) {
  if (subject === null) {
    return (
      <Stack>
        <EvidenceColumn verdict={verdict} />
        <TurnDetails verdict={verdict} project={project} />
      </Stack>
    );
  }
  const trouble = troubleOf(verdict);
  const broken = trouble === null ? null : <TroubleBlock project={project} trouble={trouble} />;
  if (subject.code != null) {
    return (
      <Stack>
        {broken}
        <Block title="Points">
          <PointBars points={subject.code.points} />
        </Block>
        <IssueBlocks code={subject.code} issues={verdict.issues} />
        <GateBlock gates={subject.code.gates} notes={subject.code.notes} />
        <FollowsBlock project={project} verdict={verdict} subject={subject} />
      </Stack>
    );
  }
  if (subject.checkpoint != null) {
    return (
      <Stack>
        {broken}
        {partsOf(subject.checkpoint, verdict).card}
        <IssueBlock issues={verdict.issues} />
        <FollowsBlock project={project} verdict={verdict} subject={subject} />
        <Block title="Measurements">
          <ScoreList scores={verdict.scores} />
        </Block>
      </Stack>
    );
  }
  const judged = { project, verdict, subject, sorted: sortScores(subject, verdict.scores) };
  return (
    <Stack>
      {broken}
      <JudgedColumn {...judged} />
      <JudgedDetails {...judged} />
    </Stack>
  );
}

const noFigures: [] = [];

function Messages({ turn: { input } }: { turn: VerdictTurn }) {
  if (input.length === 0) return null;
  return (
    <Block title="Request">
      <div className="grid gap-2">
        {input.map(({ role, content }, at) => (
          <div key={at}>
            {input.length === 1 && role === 'user' ? null : (
              <h3 className="text-12 text-ink-3">
                <VisibleText text={role} />
              </h3>
            )}
            <LongText text={content} />
          </div>
        ))}
      </div>
    </Block>
  );
}

function CodeFiles({ code }: { code: CodeView }) {
  const findings = useMemo(() => listFindings(code), [code]);
  return <FileColumn files={code.files} deliverables={code.deliverables} findings={findings} />;
}

interface SubjectProps {
  verdict: VerdictDetail;
  subject: VerdictSubject;
}

function SubjectOutput({
  project,
  verdict: { scores },
  subject,
}: SubjectProps & { project: string }) {
  const quotes = useMemo(() => quotesByText(scores), [scores]);
  return <OutputColumn project={project} subject={subject} scores={scores} quotes={quotes} />;
}

function SubjectRequest({ verdict: { scores }, subject }: SubjectProps) {
  const quotes = useMemo(() => quotesByText(scores), [scores]);
  const { criteria } = useMemo(() => sortScores(subject, scores), [subject, scores]);
  return <RequestColumn subject={subject} criteria={criteria} scores={scores} quotes={quotes} />;
}
