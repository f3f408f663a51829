'use client';

import { useMemo, useState } from 'react';
import type { CodeView as Code, VerdictSubject } from '@/app/_trpc/outputs';
import { useKeys } from '@/app/_ui/keyboard';
import { Block } from '../block';
import { FollowsBlock, JudgeBlock, OriginBlock } from '../subject/fact-blocks';
import { VerdictLayout, type VerdictPageProps, VerdictPart } from '../verdict-layout';
import { CodeRequestColumn } from './code-request-column';
import { FileColumn } from './file-column';
import { listFindings } from './findings';
import { GateBlock } from './gate-block';
import { IssueBlocks } from './pattern-blocks';
import { PointsCard } from './points-card';
import { QelPanel } from './qel-panel';
import { NotCheckedBlock, NudgeBlock, TrajectoryBlock } from './repair-blocks';

interface CodeViewProps extends VerdictPageProps {
  subject: VerdictSubject;
  code: Code;
}

/**
 * A verdict on code: the request, the files with their findings, the points and the next step.
 * Ctrl+Shift+E opens the panel.
 */
export function CodeView({ subject, code, ...page }: CodeViewProps) {
  const [isOpen, setOpen] = useState(false);
  useKeys({
    'mod+shift+e': (event) => {
      event.preventDefault();
      setOpen((before) => !before);
    },
  });
  const findings = useMemo(() => listFindings(code), [code]);
  const { project, verdict } = page;
  return (
    <>
      <VerdictLayout
        {...page}
        subject={subject}
        evidence={
          <>
            <IssueBlocks code={code} issues={verdict.issues} />
            <GateBlock gates={code.gates} notes={code.notes} />
            <PointsCard verdict={verdict} code={code} onOpen={() => setOpen(true)} />
            <NudgeBlock nudge={code.nudge} repair={code.repair} />
          </>
        }
        transcript={
          <>
            <VerdictPart name="Request">
              <CodeRequestColumn code={code} />
            </VerdictPart>
            <VerdictPart name="Files">
              <FileColumn
                files={code.files}
                deliverables={verdict.state === 'settled' ? code.deliverables : []}
                findings={findings}
              />
            </VerdictPart>
          </>
        }
        details={<CodeDetails project={project} verdict={verdict} subject={subject} code={code} />}
      />
      {isOpen ? <QelPanel code={code} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function CodeDetails({ project, verdict, subject, code }: Omit<CodeViewProps, 'mayRule'>) {
  return (
    <>
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
    </>
  );
}
