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
import { minSampleSize } from '@/app/_ui/rate';
import { linked, TimeChart } from '@/app/_ui/time-chart';
import { outcomeOrder, verdictStyles } from '@/app/_ui/verdict-styles';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { asTimeMark } from '../change-marks';
import { filterQuery } from '../verdicts/filters';
import { CountLink } from './count-link';
import {
  minDrawn,
  partText,
  passText,
  rateData,
  rateKey,
  ratePoints,
  type RateSteps,
  rateSteps,
  stepName,
} from './pass-rate-steps';
import type { Days } from './period';

/** Data loaded on the server, so that the chart and its marks are there at the first paint. */
export interface FirstHistory {
  readonly history: VerdictHistory;
  readonly marks: ChangeMarks;
}

/**
 * The pass rate over time, marked with the configuration changes of the period. Loaded separately,
 * so that a failure leaves the rest of the page intact.
 */
export function PassRatePanel({
  project,
  days,
  weight,
  initial,
}: {
  project: string;
  days: Days;
  /** The weight of one verdict in an interval. */
  weight: number;
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
        what="The pass rate by day could not be read"
        works="The numbers above are still valid; verification continues."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <PassRates
      project={project}
      history={data}
      weight={weight}
      changes={marks.data ?? { marks: [], isCut: false }}
    />
  );
}

function PassRates({
  project,
  history,
  weight,
  changes,
}: {
  project: string;
  history: VerdictHistory;
  weight: number;
  changes: ChangeMarks;
}) {
  const shown = rateSteps(history);
  const sums = shown.steps.reduce(
    ({ passed, decided }, { outcomes }) => ({
      passed: passed + outcomes.passed,
      decided: decided + outcomes.passed + outcomes.failed,
    }),
    { passed: 0, decided: 0 },
  );
  const hasSmallStep = shown.steps.some(({ outcomes: { passed, failed } }) => {
    const decided = passed + failed;
    return decided > 0 && decided < minSampleSize;
  });
  const groups = groupMarks(
    changes.marks.map((mark) => asTimeMark(project, mark)),
    shown.steps,
  );
  return (
    <ChartFrame
      title="Pass rate"
      description={`Share of passed and failed verdicts that passed, by the ${shown.step} in which they settled, with 95% intervals; numbered lines mark configuration changes.`}
      period={periodText(history.from, history.to)}
      n={`n ${sums.decided.toLocaleString('en')}`}
      part={partText(history)}
      {...(hasSmallStep && {
        legendNote: `Hollow points: fewer than ${minSampleSize} verdicts; steps under ${minDrawn} are only in the table`,
      })}
      chart={
        sums.decided === 0 ? null : (
          <>
            <TimeChart
              label={`Pass rate per ${shown.step}: ${sums.passed.toLocaleString('en')} of ${sums.decided.toLocaleString('en')} passed`}
              steps={linked(ratePoints(shown, weight), (index) => {
                const step = shown.steps[index];
                return step === undefined
                  ? undefined
                  : `/p/${project}/verdicts${filterQuery({ outcome: ['passed', 'failed'], from: step.at, to: step.to })}`;
              })}
              series={[
                { key: rateKey, name: 'Passed', color: 'var(--color-series-1)', as: 'line' },
              ]}
              marks={groups}
              ticks={[0, 0.25, 0.5, 0.75, 1]}
              text={(share) => `${Math.round(share * 100)}%`}
            />
            <MarkList groups={groups} isCut={changes.isCut} />
          </>
        )
      }
      empty="Nothing passed or failed in this period."
      table={<PassRateTable project={project} shown={shown} weight={weight} />}
      data={rateData(shown)}
      tableWhenEmpty
    />
  );
}

function PassRateTable({
  project,
  shown: { step, steps },
  weight,
}: {
  project: string;
  shown: RateSteps;
  weight: number;
}) {
  const shownOutcomes = outcomeOrder.filter((outcome) =>
    steps.some(({ outcomes }) => outcomes[outcome] > 0),
  );
  return (
    // The table scrolls on its own, so it must be reachable by keyboard.
    <div
      className="max-h-64 overflow-auto"
      tabIndex={0}
      role="region"
      aria-label={`Pass rate per ${step}, table`}
    >
      <table className="w-full border-collapse">
        <thead className="text-12 text-ink-2">
          <tr className="border-line h-8 border-b">
            <th scope="col" className="px-4">
              {{ hour: 'Hour from (UTC)', day: 'Day', week: 'Week' }[step]}
            </th>
            <th scope="col" className="px-2 text-right">
              Pass rate
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
          {steps.toReversed().map(({ at, to, outcomes }) => (
            <tr key={at.toISOString()} className="border-line h-8 border-b last:border-0">
              <th scope="row" className="px-4 font-normal whitespace-nowrap">
                {stepName(step, { at, to })}
              </th>
              <td className="px-2 text-right whitespace-nowrap">
                {outcomes.passed + outcomes.failed === 0
                  ? '–'
                  : passText(outcomes.passed, outcomes.passed + outcomes.failed, weight)}
              </td>
              {shownOutcomes.map((outcome) => (
                <td key={outcome} className="px-2 text-right">
                  {outcomes[outcome] === 0 ? (
                    0
                  ) : (
                    <CountLink
                      count={outcomes[outcome]}
                      name={`${verdictStyles[outcome].word}, ${stepName(step, { at, to })}`}
                      href={`/p/${project}/verdicts${filterQuery({ outcome: [outcome], from: at, to })}`}
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
