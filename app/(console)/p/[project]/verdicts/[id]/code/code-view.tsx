'use client';

import { useMemo, useState } from 'react';
import type { CodeView as Code, VerdictDetail, VerdictSubject } from '@/app/_trpc/outputs';
import { useKeys } from '@/app/_ui/keyboard';
import { AttemptList } from '../attempt-list';
import { Block } from '../block';
import { Column } from '../column';
import { PeoplePanel } from '../people-panel';
import { RefreshWhilePending } from '../refresh-while-pending';
import { FollowsBlock, JudgeBlock, OriginBlock } from '../subject/fact-blocks';
import { waitsFor } from '../subject/words';
import { useVerdictKeys } from '../use-verdict-keys';
import { SettledHead, UnsettledHead } from '../verdict-head';
import { AskedCodeColumn } from './asked-code-column';
import { FileColumn } from './file-column';
import { listFindings } from './findings';
import { GateBlock } from './gate-block';
import { IssueBlocks } from './pattern-blocks';
import { PointsCard } from './points-card';
import { QelPanel } from './qel-panel';
import { NotCheckedBlock, NudgeBlock, TrajectoryBlock } from './repair-blocks';

interface CodeViewProps {
  project: string;
  verdict: VerdictDetail;
  subject: VerdictSubject;
  code: Code;
  /** Whether the reader's role permits overruling and grading. */
  mayRule: boolean;
}

/**
 * A verdict on code: the request, the files with their findings, the points and the next step.
 * Ctrl+Shift+E opens the panel.
 */
export function CodeView({ project, verdict, subject, code, mayRule }: CodeViewProps) {
  useVerdictKeys(project, verdict);
  const [isOpen, setOpen] = useState(false);
  useKeys({
    'mod+shift+e': (event) => {
      event.preventDefault();
      setOpen((before) => !before);
    },
  });
  const findings = useMemo(() => listFindings(code), [code]);
  const isSettled = verdict.state === 'settled';
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
      <div className="grid gap-4 xl:min-h-0 xl:flex-1 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)_400px] xl:grid-rows-[minmax(0,1fr)]">
        <Column name="Files" place="xl:order-2">
          <FileColumn
            files={code.files}
            deliverables={isSettled ? code.deliverables : []}
            findings={findings}
          />
        </Column>
        <Column name="Evidence" place="xl:order-3">
          {isSettled ? (
            <CodeEvidence
              project={project}
              verdict={verdict}
              subject={subject}
              code={code}
              mayRule={mayRule}
              onOpen={() => setOpen(true)}
            />
          ) : (
            <AttemptList attempts={verdict.attempts} />
          )}
        </Column>
        <Column name="Asked" place="xl:order-1">
          <AskedCodeColumn code={code} />
        </Column>
      </div>
      {isOpen ? <QelPanel code={code} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

function CodeEvidence({
  project,
  verdict,
  subject,
  code,
  mayRule,
  onOpen,
}: CodeViewProps & { onOpen: () => void }) {
  return (
    <div className="grid content-start gap-4">
      <PointsCard verdict={verdict} code={code} onOpen={onOpen} />
      <PeoplePanel project={project} verdict={verdict} mayRule={mayRule} />
      <IssueBlocks code={code} issues={verdict.issues} />
      <GateBlock gates={code.gates} notes={code.notes} />
      <NudgeBlock nudge={code.nudge} repair={code.repair} />
      <TrajectoryBlock trajectory={code.trajectory} />
      {code.boostSuggestion === null ? null : (
        <Block title="A larger model">
          <p className="text-ink-2">{code.boostSuggestion}</p>
        </Block>
      )}
      <FollowsBlock project={project} verdict={verdict} subject={subject} />
      {verdict.judging.calls > 0 ? (
        <JudgeBlock project={project} verdict={verdict} subject={subject} />
      ) : null}
      <NotCheckedBlock />
      <OriginBlock project={project} verdict={verdict} subject={subject} />
      <AttemptList attempts={verdict.attempts} />
    </div>
  );
}
