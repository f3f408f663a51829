import { useMutation, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { DraftRow, DraftTry } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { ProgressBar, ratioOf } from '@/app/_ui/progress-bar';
import { FieldError, SelectField } from '@/app/_ui/field';
import { Empty, Panel, Skeleton } from '@/app/_ui/panel';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { VisibleText } from '@/app/_ui/visible-text';
import { subjectTargets } from '@/server/domain';
import { type DraftSubjects, draftTryLimits } from '@/server/experiments/input';
import { MeasureText } from '../../calibration/measure-text';
import { costText } from '../../traces/amounts';
import type { DraftRead } from './draft';

interface ResultsPanelProps {
  project: string;
  draft: DraftRead;
  slug: string | null;
  /** Whether the verifier is stored, so that its subjects may have labels. */
  isStored: boolean;
  mayWrite: boolean;
}

const newestText: Record<Exclude<DraftSubjects, 'labelled'>, string> = {
  turn: 'turns',
  trace: 'traces',
  session: 'sessions',
  mission: 'missions',
};

const subjectsText = (subjects: DraftSubjects): string =>
  subjects === 'labelled'
    ? `Last ${draftTryLimits.labelled} labelled subjects`
    : `Last ${draftTryLimits.newest} ${newestText[subjects]}`;

/** The draft's verdicts on stored subjects, their agreement with labels, and their cost. */
export function ResultsPanel({ project, draft, slug, isStored, mayWrite }: ResultsPanelProps) {
  const trpc = useTRPC();
  const [tryId, setTryId] = useQueryState('try', parseAsString);
  const [chosen, setChosen] = useState<DraftSubjects | null>(null);
  const choices: DraftSubjects[] = [
    ...targetsOf(draft.definition?.targets),
    ...(isStored ? ['labelled' as const] : []),
  ];
  const subjects = chosen !== null && choices.includes(chosen) ? chosen : (choices[0] ?? 'turn');
  const start = useMutation(
    trpc.verifiers.startTry.mutationOptions({ onSuccess: (started) => void setTryId(started.id) }),
  );
  const draftTest = useQuery(
    trpc.verifiers.tried.queryOptions(
      { project, id: tryId ?? '' },
      { enabled: tryId !== null && mayWrite },
    ),
  );
  const kind = draft.definition?.kind;
  const isRunning = draftTest.data !== undefined && isActive(draftTest.data);
  return (
    <Panel title="Results">
      <div className="border-line grid gap-2 border-b p-4">
        <p className="text-ink-2">
          The draft judges stored subjects. No verdict is stored; models are called and cost money.
        </p>
        {mayWrite ? (
          <div className="flex flex-wrap items-end gap-2">
            <SelectField
              label="Test on"
              value={subjects}
              options={choices.map((each) => [each, subjectsText(each)] as const)}
              onChange={setChosen}
            />
            <Button
              busy={start.isPending || isRunning}
              disabled={slug === null || typeof kind !== 'string'}
              onClick={() => {
                if (slug === null || typeof kind !== 'string') return;
                const definition = { ...draft.definition, kind };
                start.mutate({ project, slug, definition, subjects });
              }}
            >
              Test draft
            </Button>
          </div>
        ) : null}
        <FieldError text={start.error ? problemOf(start.error).message : null} />
      </div>
      {tryId === null ? (
        <Empty title="The draft has not been tested yet." />
      ) : draftTest.error ? (
        <Empty title="The results of this test are no longer stored. Test the draft again." />
      ) : draftTest.data === undefined ? (
        <Skeleton className="m-4 h-16" />
      ) : (
        <Results project={project} draftTest={draftTest.data} />
      )}
    </Panel>
  );
}

const isActive = ({ state }: DraftTry): boolean => state === 'waiting' || state === 'running';

function Results({ project, draftTest }: { project: string; draftTest: DraftTry }) {
  const { done, total, rows, faults } = draftTest;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)]">
      <Progress project={project} draftTest={draftTest} />
      {faults.length === 0 ? null : (
        <ul aria-label="Errors of the function" className="grid gap-1 px-4 pb-3">
          {faults.map(({ line, message }, at) => (
            <li key={at} className="[overflow-wrap:anywhere]">
              {line === null ? '' : `Line ${line} of the source: `}
              <VisibleText text={message} />
            </li>
          ))}
        </ul>
      )}
      {rows.length === 0 ? null : (
        <>
          <Summary draftTest={draftTest} />
          <div
            role="region"
            aria-label={`${done} of ${total} subjects`}
            // Not every row has a link by which the list could be scrolled.
            tabIndex={0}
            className="border-line max-h-[70vh] overflow-y-auto border-t"
          >
            <ul className="divide-line divide-y">
              {rows.map((row) => (
                <ResultRow
                  key={row.subjectId}
                  row={row}
                  href={draftTest.subjects === 'labelled' ? null : hrefOf(project, row)}
                />
              ))}
            </ul>
          </div>
        </>
      )}
    </div>
  );
}

function Progress({ project, draftTest }: { project: string; draftTest: DraftTry }) {
  const trpc = useTRPC();
  const cancel = useMutation(
    trpc.jobs.cancel.mutationOptions({ onSuccess: () => announce('Test cancelled') }),
  );
  const { id, state, reason, done, total } = draftTest;
  const text = {
    waiting: 'Waiting for a worker',
    running: `Judging: ${done} of ${total}`,
    done: `Judged ${done} of ${total}`,
    cancelled: `Cancelled after ${done} of ${total}`,
    failed: 'Failed',
  }[state];
  return (
    <div className="grid gap-2 px-4 py-3">
      {isActive(draftTest) ? (
        <ProgressBar label="Test of the draft" ratio={ratioOf(done, total)} />
      ) : null}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-ink-2 [overflow-wrap:anywhere]">
          {text}: {subjectsText(draftTest.subjects).toLowerCase()}.
          {reason === null ? null : (
            <>
              {' '}
              <VisibleText text={reason} />
            </>
          )}
        </p>
        {isActive(draftTest) ? (
          <Button
            aria-label="Cancel the test"
            busy={cancel.isPending}
            onClick={() => cancel.mutate({ project, id })}
          >
            Cancel
          </Button>
        ) : null}
      </div>
      <FieldError text={cancel.error ? problemOf(cancel.error).message : null} />
    </div>
  );
}

function Summary({ draftTest: { rows, agreement, costPer1000 } }: { draftTest: DraftTry }) {
  const count = (outcome: DraftRow['outcome']): number =>
    rows.filter((row) => row.outcome === outcome).length;
  const other = rows.length - count('passed') - count('failed');
  return (
    <dl className="border-line grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-t px-4 py-3">
      <dt className="text-ink-3">Verdicts</dt>
      <dd>
        {count('passed')} passed, {count('failed')} failed
        {other === 0 ? '' : `, ${other} without a pass or a fail`}
      </dd>
      <dt className="text-ink-3">Agreement with labels</dt>
      <dd>
        {agreement === null ? (
          <span className="text-ink-3">none of these subjects has a label</span>
        ) : (
          <MeasureText
            name="Agreement with labels"
            measure={agreement}
            numeratorHref={null}
            denominatorHref={null}
            stacked
          />
        )}
      </dd>
      <dt className="text-ink-3">Models, per 1,000 subjects</dt>
      <dd>
        {costPer1000 === null ? (
          <span className="text-ink-3">unknown</span>
        ) : (
          `${costText(costPer1000.usd)}${costPer1000.isLowerBound ? ' or more: the price of a judge is not listed' : ''}`
        )}
      </dd>
    </dl>
  );
}

function ResultRow({ row, href }: { row: DraftRow; href: string | null }) {
  const { subjectId, excerpt, outcome, verdict, score, reason, good } = row;
  const name = excerpt === '' ? subjectId : excerpt;
  return (
    <li className="grid gap-1 px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {outcome === null ? (
          <span className="text-ink-3">No verdict</span>
        ) : (
          <VerdictBadge outcome={outcome} verdict={verdict} />
        )}
        {score === null ? null : (
          <span className="text-ink-2 tabular-nums">{score.toFixed(2)}</span>
        )}
        {good === null ? null : (
          <span className="text-ink-2 ml-auto">{good ? 'labelled good' : 'labelled bad'}</span>
        )}
      </div>
      <p className="truncate">
        {href === null ? (
          <VisibleText text={name} />
        ) : (
          <Link href={href} prefetch={false} className="underline">
            <VisibleText text={name} />
          </Link>
        )}
      </p>
      {reason === null ? null : (
        <p className="text-12 text-ink-2 line-clamp-3 [overflow-wrap:anywhere]">
          <VisibleText text={reason} />
        </p>
      )}
    </li>
  );
}

function hrefOf(project: string, { target, subjectId }: DraftRow): string | null {
  if (target === null || target === 'mission') return null;
  return `/p/${project}/${newestText[target]}/${encodeURIComponent(subjectId)}`;
}

/** The targets of a definition; all if it names none. */
function targetsOf(targets: unknown): DraftSubjects[] {
  if (!Array.isArray(targets)) return [...subjectTargets];
  return subjectTargets.filter((target) => targets.includes(target));
}
