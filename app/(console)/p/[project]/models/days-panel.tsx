'use client';

import Link from 'next/link';
import type { ModelDays } from '@/app/_trpc/outputs';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { rateText } from '@/app/_ui/rate';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { filterQuery } from '../verdicts/filters';
import { DayLine } from './day-line';

interface DaysPanelProps {
  project: string;
  models: readonly ModelDays[];
}

/** Small multiples: the pass rate of each model by day, by all verifiers together, on the same axes. */
export function DaysPanel({ project, models }: DaysPanelProps) {
  return (
    <ChartFrame
      title="Last 30 days"
      legendNote="Share that passed, by all verifiers together; band: 95 % interval of a day; hollow: fewer than 20"
      chart={
        models.length === 0 ? null : (
          <ul aria-label="Models by day" className="grid gap-x-6 gap-y-4 pb-2 md:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4">
            {models.map((each) => (
              <li key={each.model} className="grid min-w-0 content-start gap-1">
                <p className="flex min-w-0 items-baseline justify-between gap-3">
                  <Link
                    href={`/p/${project}/verdicts${filterQuery({ model: each.model })}`}
                    title={plainText(each.model)}
                    className="text-12 min-w-0 truncate font-mono font-semibold underline"
                  >
                    <VisibleText text={each.model} />
                  </Link>
                  <span className="text-12 text-ink-2 whitespace-nowrap">
                    <RateText k={each.passed} n={each.passed + each.failed} />
                  </span>
                </p>
                <DayLine model={each} />
              </li>
            ))}
          </ul>
        )
      }
      empty="No work of a named model passed or failed in the last 30 days."
      table={
        <div className="max-h-96 overflow-y-auto">
          <DataTable label="Models by day" heads={['Model', 'Day', 'Passed']}>
            {models.flatMap(({ model, days }) =>
              days
                .filter(({ passed, failed }) => passed + failed > 0)
                .toReversed()
                .map(({ day, passed, failed }) => (
                  <Row key={`${model} ${day}`}>
                    <NameCell>
                      <code className="text-12 font-mono">
                        <VisibleText text={model} />
                      </code>
                    </NameCell>
                    <Cell>{day}</Cell>
                    <Cell>
                      <RateText k={passed} n={passed + failed} />
                    </Cell>
                  </Row>
                )),
            )}
          </DataTable>
        </div>
      }
    />
  );
}

function RateText({ k, n }: { k: number; n: number }) {
  const { rate, interval, counts } = rateText(k, n);
  return rate === null ? counts : `${rate} (${interval}) ${counts}`;
}
