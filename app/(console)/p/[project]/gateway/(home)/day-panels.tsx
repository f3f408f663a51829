'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { GatewayDay, SteeringMeasure } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { periodText } from '@/app/_ui/chart-data';
import { ChartFrame, type LegendEntry } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { linked, TimeChart } from '@/app/_ui/time-chart';
import { verdictStyles } from '@/app/_ui/verdict-styles';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { durationText } from '../../traces/amounts';
import { type Days, filterQuery } from '../filters';
import { efficacyWords } from '../gateway-words';
import { dayData, daySteps, steerOrder } from './day-words';

const delaySeries = [
  { key: 'p50', name: 'half within', color: 'var(--color-series-1)' },
  { key: 'p95', name: '95% within', color: 'var(--color-series-2)' },
  { key: 'p99', name: '99% within', color: 'var(--color-series-3)' },
] as const;

const steerSeries: readonly (LegendEntry & { readonly isHatched: boolean })[] = steerOrder.map(
  (key) => {
    const { state, word } = efficacyWords[key];
    const { token, hatched } = verdictStyles[state];
    return {
      key,
      name: word,
      color: `var(--color-${token})`,
      mark: <VerdictIcon state={state} size={12} />,
      isHatched: hatched,
    };
  },
);

interface DayPanelsProps {
  project: string;
  days: Days;
  from: Date;
  /** Counted from the calls themselves, to show how many steers the daily counts do not include. */
  steering: SteeringMeasure;
  everyMs: number;
}

/**
 * Steers and buffering times by day. Loaded separately: a failure leaves the numbers above intact.
 */
export function DayPanels({ project, days, from, steering, everyMs }: DayPanelsProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.charts.gatewayDays.queryOptions(
      { project, days },
      { placeholderData: keepPreviousData, refetchInterval: everyMs },
    ),
  );
  if (data === undefined) {
    return error === null ? (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
        <Skeleton className="h-[334px]" />
        <Skeleton className="h-[334px]" />
      </div>
    ) : (
      <ErrorPanel
        what="Steers and buffering times by day could not be read"
        works="The numbers above are still valid; calls still go through the gateway."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  const period = periodText(from, new Date(from.getTime() + days * dayMs));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
      <SteerPanel
        project={project}
        days={data}
        period={period}
        steered={steering.isCut ? null : steering.applied.steers}
      />
      <DelayPanel project={project} days={data} period={period} />
    </div>
  );
}

const dayMs = 86_400_000;

/** The days with the calls of each. */
const dayLinks = (project: string, days: readonly GatewayDay[]) =>
  linked(daySteps(days), (index) => {
    const day = days[index]?.day;
    if (day === undefined) return undefined;
    const from = new Date(`${day}T00:00:00Z`);
    const to = new Date(from.getTime() + dayMs);
    return `/p/${project}/gateway/calls${filterQuery({ from, to })}`;
  });

function SteerPanel({
  project,
  days,
  period,
  steered,
}: {
  project: string;
  days: readonly GatewayDay[];
  period: string;
  steered: number | null;
}) {
  const sum = (of: (day: GatewayDay) => number): number =>
    days.reduce((total, day) => total + of(day), 0);
  const applied = sum(({ steers }) => steerOrder.reduce((total, each) => total + steers[each], 0));
  const seriesWithData = steerSeries.filter(({ key }) =>
    steerOrder.some((each) => each === key && sum(({ steers }) => steers[each]) > 0),
  );
  const count = (value: number): string => value.toLocaleString('en');
  return (
    <ChartFrame
      title="Steers by day"
      description="Answers that were steered, by the result of the recheck."
      period={period}
      n={`n ${count(applied)} steered`}
      part={
        steered !== null && applied < steered
          ? `${count(applied)} of ${count(steered)} counted by day`
          : null
      }
      legend={seriesWithData}
      chart={
        applied === 0 ? null : (
          <TimeChart
            label="Steered answers per day, stacked by result"
            steps={dayLinks(project, days)}
            series={seriesWithData.map((each) => ({ ...each, as: 'bar' }))}
            isCount
          />
        )
      }
      empty="No answer was steered in this period."
      table={
        <div className="max-h-96 overflow-y-auto">
          <DataTable
            label="Steers by day"
            heads={[
              'Day',
              ...steerSeries.map(({ name }) => name),
              'Note withheld',
              'Not delivered',
            ]}
          >
            {days.toReversed().map(({ day, steers, withheld, undelivered }) => (
              <Row key={day}>
                <NameCell>{day}</NameCell>
                {steerOrder.map((each) => (
                  <Cell key={each}>{count(steers[each])}</Cell>
                ))}
                <Cell>{count(withheld)}</Cell>
                <Cell>{count(undelivered)}</Cell>
              </Row>
            ))}
          </DataTable>
        </div>
      }
      data={dayData(applied === 0 ? [] : days)}
    />
  );
}

function DelayPanel({
  project,
  days,
  period,
}: {
  project: string;
  days: readonly GatewayDay[];
  period: string;
}) {
  const bufferedAnswers = days.reduce((sum, day) => sum + day.deliveryDelay.n, 0);
  return (
    <ChartFrame
      title="Verification delay"
      description="Time added to an answer after its last byte. Answers that were not buffered have no delay."
      period={period}
      n={`n ${bufferedAnswers.toLocaleString('en')} answers buffered`}
      legend={delaySeries}
      swatch="line"
      chart={
        bufferedAnswers === 0 ? null : (
          <TimeChart
            label="Verification delay per day: 50th, 95th and 99th percentile"
            steps={dayLinks(project, days)}
            series={delaySeries.map((each) => ({ ...each, as: 'line' }))}
            text={durationText}
          />
        )
      }
      empty="No answer was buffered in this period."
      table={
        <div className="max-h-96 overflow-y-auto">
          <DataTable
            label="Verification delay by day"
            heads={['Day', ...delaySeries.map(({ name }) => name), 'Answers buffered']}
          >
            {days.toReversed().map(({ day, deliveryDelay: { n, p50, p95, p99 } }) => (
              <Row key={day}>
                <NameCell>{day}</NameCell>
                {[p50, p95, p99].map((ms, index) => (
                  <Cell key={index}>
                    {ms === null ? <span className="text-ink-3">no data</span> : durationText(ms)}
                  </Cell>
                ))}
                <Cell>{n.toLocaleString('en')}</Cell>
              </Row>
            ))}
          </DataTable>
        </div>
      }
      data={dayData(bufferedAnswers === 0 ? [] : days)}
    />
  );
}
