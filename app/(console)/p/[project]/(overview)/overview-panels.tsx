'use client';

import { useLocale } from '@/app/_ui/use-locale';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import type { Changes } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody } from '@/app/_ui/page-head';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { answerOf, nextStepOf } from './answer';
import { AnswerHead } from './answer-head';
import { FindingsPanel, orderedFindings } from './findings-panel';
import { NewFailuresPanel } from './new-failures-panel';
import { OperationsStrip } from './operations-strip';
import { type Days, periodName, periods } from './period';
import { type FirstOverview, useOverview } from './use-overview';
import { VerifierCards } from './verifier-cards';
import { WorkPanel } from './work-panel';

// Panels below the first screen are loaded separately.
const PassRatePanel = dynamic(() =>
  import('./pass-rate-panel').then((module) => module.PassRatePanel),
);
const ModelTable = dynamic(() => import('./model-table').then((module) => module.ModelTable));

interface OverviewPanelsProps {
  project: string;
  days: Days;
  first: FirstOverview;
  mayAcknowledge: boolean;
  /**
   * The setup steps, and the link that restores them after they were dismissed. Built by the page,
   * which has the whole project.
   */
  setup: { readonly panel: ReactNode; readonly again: ReactNode };
}

/** The answer first, then findings, verifiers, the trend, work, and operations last. */
export function OverviewPanels({
  project,
  days,
  first,
  mayAcknowledge,
  setup,
}: OverviewPanelsProps) {
  const { overview, changes, trusts, board, reviewCounts, live } = useOverview(
    project,
    days,
    first,
  );
  const locale = useLocale();
  const { data, error, refetch } = overview;
  const trustOf = new Map((trusts.data ?? []).map((trust) => [trust.verifier, trust]));
  const weight = changes.data === undefined ? 1 : weightOf(changes.data);
  const facts = {
    project,
    days,
    from: data.from,
    passed: data.outcomes.passed,
    decided: data.outcomes.passed + data.outcomes.failed,
    weight,
    verifiers: (changes.data?.verifiers ?? []).flatMap(({ verifier, passRate }) => {
      const trust = trustOf.get(verifier);
      return passRate.now.denominator === 0 || trust === undefined
        ? []
        : [{ verifier, state: trust.state }];
    }),
    falls: board.data === undefined || board.data.isStale ? null : board.data.falls,
    locale,
  };
  const findings = board.data === undefined ? [] : orderedFindings(board.data);
  return (
    <PageBody>
      <AnswerHead
        answer={answerOf(facts)}
        next={nextStepOf(facts, findings, reviewCounts.data?.open ?? 0)}
      >
        <div className="flex items-center gap-4">
          <LiveMark state={live} readAt={overview.dataUpdatedAt} />
          <PeriodNav project={project} days={days} />
        </div>
      </AnswerHead>
      {error ? (
        <ErrorPanel
          what="The numbers could not be refreshed"
          works="The page shows the last loaded data; verification continues."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {board.data !== undefined ? (
        <FindingsPanel project={project} board={board.data} mayAcknowledge={mayAcknowledge} />
      ) : board.error === null ? null : (
        <ErrorPanel
          what="Findings could not be read"
          works="The numbers below are still valid; alerts are still raised and sent."
          problem={problemOf(board.error)}
          onRetry={() => void board.refetch()}
        />
      )}
      {setup.panel}
      {changes.data !== undefined ? (
        <VerifierCards project={project} changes={changes.data} trusts={trustOf} />
      ) : changes.error === null ? (
        <Skeleton className="h-40" />
      ) : (
        <ErrorPanel
          what="The rates of the verifiers could not be read"
          works="The other numbers and the latest failures are still valid; verification continues."
          problem={problemOf(changes.error)}
          onRetry={() => void changes.refetch()}
        />
      )}
      <PassRatePanel project={project} days={days} weight={weight} initial={first.history} />
      {changes.data === undefined || !hasNewFailures(changes.data) ? null : (
        <NewFailuresPanel project={project} changes={changes.data} />
      )}
      <WorkPanel
        project={project}
        overview={data}
        reviewCounts={reviewCounts.data ?? (reviewCounts.isError ? null : undefined)}
      />
      <ModelTable byModel={data.byModel} project={project} from={data.from} />
      <OperationsStrip project={project} overview={data} />
      {setup.again}
    </PageBody>
  );
}

/** In a project's first period every failure would be new. */
const hasNewFailures = ({ newlyFailing, verifiers }: Changes): boolean =>
  newlyFailing.length > 0 && verifiers.some(({ passRate }) => passRate.before.denominator > 0);

/** The mean weight of a verdict, over all verifiers. */
function weightOf({ verifiers }: Changes): number {
  const decided = verifiers.reduce((sum, { passRate }) => sum + passRate.now.denominator, 0);
  if (decided === 0) return 1;
  const weighed = verifiers.reduce(
    (sum, { passRate: { now } }) => sum + now.denominator * (now.weight ?? 1),
    0,
  );
  return weighed / decided;
}

function PeriodNav({ project, days }: { project: string; days: Days }) {
  return (
    <nav aria-label="Period" className="border-line bg-surface rounded-4 flex border">
      {periods.map((period) => (
        <Link
          key={period}
          href={`/p/${project}?days=${period}`}
          aria-current={period === days ? 'true' : undefined}
          aria-label={periodName[period]}
          className={`rounded-4 flex h-8 items-center px-3 whitespace-nowrap ${period === days ? 'bg-accent-wash font-semibold' : 'text-ink-2 hover:bg-hover'}`}
        >
          {period === 1 ? 'Today' : `${period} days`}
        </Link>
      ))}
    </nav>
  );
}
