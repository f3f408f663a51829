'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { ChangeMarks, VerdictHistory } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { periodText } from '@/app/_ui/chart-data';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { groupMarks } from '@/app/_ui/chart-marks';
import { MarkList } from '@/app/_ui/mark-list';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { TimeChart } from '@/app/_ui/time-chart';
import { outcomeOrder, verdictStyles } from '@/app/_ui/verdict-styles';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { asTimeMark } from '../change-marks';
import { filterQuery } from '../verdicts/filters';
import { CountLink } from './count-link';
import { historyData, historySteps, partText } from './history-words';
import type { Days } from './period';

type ShownOutcome = (typeof outcomeOrder)[number];

/** Data loaded on the server, so that the chart and its marks are there at the first paint. */
export interface FirstHistory {
  readonly history: VerdictHistory;
  readonly marks: ChangeMarks;
}

/**
 * Outcomes over time, marked with the configuration changes of the period. Loaded separately, so
 * that a failure leaves the rest of the page intact.
 */
export function HistoryPanel({
  project,
  days,
  initial,
}: {
  project: string;
  days: Days;
  initial: FirstHistory | null;
}) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.charts.history.queryOptions(
      { project, days },
      {
        ...(initial !== null && { initialData: initial.history }),
        placeholderData: keepPreviousData,
      },
    ),
  );
  const marks = useQuery(
    trpc.charts.marks.queryOptions(
      { project, days },
      {
        ...(initial !== null && { initialData: initial.marks }),
        placeholderData: keepPreviousData,
      },
    ),
  );
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="h-[334px]" />
    ) : (
      <ErrorPanel
        what="The history of verdicts could not be read"
        works="The numbers above are still valid; verification continues."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <History project={project} history={data} changes={marks.data ?? { marks: [], isCut: false }} />
  );
}

function History({
  project,
  history,
  changes,
}: {
  project: string;
  history: VerdictHistory;
  changes: ChangeMarks;
}) {
  const { from, to, step, verdicts } = history;
  const shownOutcomes = outcomeOrder.filter((outcome) =>
    history.steps.some(({ outcomes }) => outcomes[outcome] > 0),
  );
  const stepMs = stepMsOf(step);
  const groups = groupMarks(
    changes.marks.map((mark) => asTimeMark(project, mark)),
    history.steps.map(({ at }) => ({ to: new Date(at.getTime() + stepMs) })),
  );
  return (
    <ChartFrame
      title="Verdict history"
      says={`Verdicts by the ${step} in which they settled, stacked by outcome; numbered lines mark configuration changes.`}
      period={periodText(from, to)}
      n={`n ${verdicts.toLocaleString('en')} verdicts`}
      part={partText(history)}
      legend={shownOutcomes.map((outcome) => ({
        key: outcome,
        name: verdictStyles[outcome].word,
        color: `var(--color-${verdictStyles[outcome].token})`,
        mark: <VerdictIcon state={outcome} size={12} />,
      }))}
      chart={
        shownOutcomes.length === 0 ? null : (
          <>
            <TimeChart
              label={`Verdicts per ${step}, stacked by outcome`}
              steps={historySteps(history)}
              // Passes are at the bottom of the stack and failures on top, where they are easy to
              // see.
              series={shownOutcomes.toReversed().map((outcome) => ({
                key: outcome,
                name: verdictStyles[outcome].word,
                color: `var(--color-${verdictStyles[outcome].token})`,
                as: 'bar',
                isHatched: verdictStyles[outcome].hatched,
              }))}
              marks={groups}
              isCount
            />
            <MarkList groups={groups} isCut={changes.isCut} />
          </>
        )
      }
      empty="No verdict in this period."
      table={<HistoryTable project={project} history={history} shownOutcomes={shownOutcomes} />}
      data={historyData(history)}
    />
  );
}

const stepMsOf = (step: VerdictHistory['step']): number =>
  step === 'hour' ? 3_600_000 : 86_400_000;

function HistoryTable({
  project,
  history: { step, steps },
  shownOutcomes,
}: {
  project: string;
  history: VerdictHistory;
  shownOutcomes: readonly ShownOutcome[];
}) {
  const stepMs = stepMsOf(step);
  return (
    // The table scrolls on its own, so it must be reachable by keyboard.
    <div
      className="max-h-64 overflow-auto"
      tabIndex={0}
      role="region"
      aria-label={`Verdicts per ${step}, table`}
    >
      <table className="w-full border-collapse">
        <thead className="text-12 text-ink-2">
          <tr className="border-line h-8 border-b">
            <th scope="col" className="px-4">
              {step === 'day' ? 'Day' : 'Hour from'}
            </th>
            {shownOutcomes.map((outcome) => (
              <th key={outcome} scope="col" className="px-2 text-right">
                <span className="inline-flex items-center gap-1">
                  <VerdictIcon state={outcome} size={12} />
                  {verdictStyles[outcome].word}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.toReversed().map(({ at, outcomes }) => (
            <tr key={at.toISOString()} className="border-line h-8 border-b last:border-0">
              <th scope="row" className="px-4 font-normal whitespace-nowrap">
                {step === 'day'
                  ? at.toISOString().slice(0, 10)
                  : at.toISOString().slice(0, 16).replace('T', ' ')}
              </th>
              {shownOutcomes.map((outcome) => (
                <td key={outcome} className="px-2 text-right">
                  {outcomes[outcome] === 0 ? (
                    0
                  ) : (
                    <CountLink
                      count={outcomes[outcome]}
                      name={`${verdictStyles[outcome].word}, ${at.toISOString().slice(0, 16).replace('T', ' ')}`}
                      href={`/p/${project}/verdicts${filterQuery({ outcome: [outcome], from: at, to: new Date(at.getTime() + stepMs) })}`}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
