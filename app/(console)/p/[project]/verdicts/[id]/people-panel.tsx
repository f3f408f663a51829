'use client';

import { useLive } from '@/app/(console)/use-live';
import type { VerdictDetail, VerdictLabels } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { isOverruled, VerdictBadge } from '@/app/_ui/verdict-badge';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, Facts } from './block';
import { NextStep, stepWord } from './next-step';
import { RulingList } from './ruling-list';
import { usePeople, useRefreshPeople } from './use-people';
import { storedOutcome } from './verdict-title';

interface PeoplePanelProps {
  project: string;
  verdict: VerdictDetail;
  mayRule: boolean;
}

/**
 * People's rulings on the verdict and the action on the work. The verifier's own verdict is always
 * shown next to theirs.
 */
export function PeoplePanel({ project, verdict, mayRule }: PeoplePanelProps) {
  const refresh = useRefreshPeople(project, verdict.id);
  const { ruled, grade, rulings, reports } = usePeople(project, verdict);
  const step = rulings.find((each) => each.action !== null && each.undone === null)?.action ?? null;
  useLive(project, (news) => {
    if (news === null || news.labelled > 0) refresh();
  });
  return (
    <Block title="People" id="people">
      <div className="grid gap-3">
        <Facts
          list={[
            [
              'Verifier',
              <VerdictBadge
                key="machine"
                outcome={storedOutcome(verdict)}
                verdict={verdict.verdict}
              />,
            ],
            [
              'People',
              ruled === null ? (
                'no human ruling'
              ) : (
                <span key="people" className="flex flex-wrap items-center gap-x-2">
                  <VerdictBadge outcome={ruled.outcome} verdict={ruled.verdict} />
                  <span className="text-ink-3">
                    <VisibleText text={ruled.rater} />
                  </span>
                </span>
              ),
            ],
            ...(step === null
              ? []
              : [
                  [
                    'The work',
                    `${stepWord(step)}${step === 'accept_with_warning' ? ', of low confidence' : ''}`,
                  ] as const,
                ]),
            ...(grade === null ? [] : [['Grade', `${grade} of 5`] as const]),
          ]}
        />
        {mayRule ? null : (
          <p className="text-ink-3">Reviewers, admins and owners overrule and grade.</p>
        )}
        {mayRule && needsStep(verdict, ruled) ? (
          <NextStep project={project} verdict={verdict} onStored={refresh} />
        ) : null}
        <RulingList project={project} rulings={rulings} mayUndo={mayRule} onUndone={refresh} />
        <ReportList reports={reports} />
      </div>
    </Block>
  );
}

/**
 * Whether an action on the work can be chosen: the verdict did not pass, and no one overruled it.
 * The feedback of an overruled verdict must not reach the model.
 *
 * @internal
 */
export function needsStep(
  { state, outcome, verdict }: Pick<VerdictDetail, 'state' | 'outcome' | 'verdict'>,
  ruled: VerdictLabels['ruled'],
): boolean {
  return (
    state === 'settled' &&
    (outcome === 'failed' || outcome === 'needs_review' || outcome === 'inconclusive') &&
    !isOverruled({ verdict, ruled })
  );
}

type Report = VerdictLabels['reports'][number];

function reportText({ success, score, value }: Report): string {
  if (success !== null) return success ? 'good' : 'not good';
  if (value !== null) return value;
  return score === null ? '' : `score ${score}`;
}

/** Ground truth about the subject, reported by callers or imported. */
function ReportList({ reports }: { reports: readonly Report[] }) {
  if (reports.length === 0) return null;
  return (
    <ul aria-label="Reported about this answer" className="border-line grid gap-1 border-t pt-2">
      {reports.map((report) => (
        <li key={report.id} className="text-12 flex flex-wrap gap-x-2 [overflow-wrap:anywhere]">
          <span>{report.kind === 'import' ? 'Imported' : 'Outcome'}</span>
          <VisibleText text={reportText(report)} />
          <span className="text-ink-3">
            <VisibleText text={report.by} />
          </span>
          <span className="text-ink-2">
            <Moment at={report.createdAt} />
          </span>
          {report.note ? (
            <span className="basis-full">
              <VisibleText text={report.note} />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
