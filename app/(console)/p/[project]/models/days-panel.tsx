'use client';

import { Select } from '@/app/_ui/select';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsString, useQueryState } from 'nuqs';
import { useTRPC } from '@/app/_trpc/client';
import type { ModelDays, ModelScores } from '@/app/_trpc/outputs';
import { periodText } from '@/app/_ui/chart-data';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { rateText } from '@/app/_ui/rate';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { filterQuery } from '../verdicts/filters';
import { modelData, scaleOfScores } from './day-data';
import { DayLine } from './day-line';
import { DayPoints, PlotAxes, xOf, yOf } from './plot-axes';
import { scoreText } from './spread-words';

interface DaysPanelProps {
  project: string;
  models: readonly ModelDays[];
  /** Verifiers with results. */
  verifiers: readonly string[];
}

/**
 * Small multiples on the same axes: the pass rate of each model by day, over all verifiers, and its
 * scores by one of them.
 */
export function DaysPanel({ project, models, verifiers }: DaysPanelProps) {
  const trpc = useTRPC();
  const [verifier, setVerifier] = useQueryState('scores', parseAsString);
  const read = useQuery(
    trpc.charts.modelScores.queryOptions(
      { project, verifier: verifier ?? '-' },
      { enabled: verifier !== null, placeholderData: keepPreviousData },
    ),
  );
  const scores = verifier === null ? null : (read.data ?? []);
  const byModel = new Map((scores ?? []).map((each) => [each.model, each]));
  const maxScore = scaleOfScores(scores ?? []);
  const [first, last] = [models[0]?.days[0]?.day ?? '', models[0]?.days.at(-1)?.day ?? ''];
  const results = models.reduce((sum, { passed, failed }) => sum + passed + failed, 0);
  const spreadOf = (model: string, day: string) =>
    byModel.get(model)?.days.find((each) => each.day === day)?.spread ?? null;
  return (
    <ChartFrame
      title="Last 30 days"
      description={`Share of each model’s work that passed by day, by all verifiers together${verifier === null ? '' : `; below it, its median score by ${plainText(verifier)}`}.`}
      period={
        first === ''
          ? undefined
          : periodText(new Date(`${first}T00:00:00Z`), new Date(`${last}T12:00:00Z`))
      }
      n={`n ${results.toLocaleString('en')} results`}
      aside={
        verifiers.length === 0 ? null : (
          <ScoresChoice
            value={verifier}
            verifiers={verifiers}
            onChange={(each) => void setVerifier(each)}
          />
        )
      }
      legendNote="band: 95% interval of a day; hollow: fewer than 20"
      chart={
        models.length === 0 ? null : (
          <ul
            aria-label="Models by day"
            className="grid gap-x-6 gap-y-4 pb-2 md:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4"
          >
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
                    <RateText k={each.passed} n={each.passed + each.failed} weight={each.weight} />
                  </span>
                </p>
                <DayLine model={each} />
                {verifier === null ? null : (
                  <ScoreLine
                    model={each.model}
                    verifier={verifier}
                    scores={byModel.get(each.model) ?? null}
                    maxScore={maxScore}
                    first={first}
                    last={last}
                  />
                )}
              </li>
            ))}
          </ul>
        )
      }
      empty="No work of a named model passed or failed in the last 30 days."
      table={
        <div className="max-h-96 overflow-y-auto">
          <DataTable
            label="Models by day"
            heads={[
              'Model',
              'Day',
              'Passed',
              ...(verifier === null ? [] : [`Median score by ${verifier}`]),
            ]}
          >
            {models.flatMap(({ model, weight, days }) =>
              days
                .filter(({ passed, failed }) => passed + failed > 0)
                .toReversed()
                .map(({ day, passed, failed }) => {
                  const spread = spreadOf(model, day);
                  return (
                    <Row key={`${model} ${day}`}>
                      <NameCell>
                        <code className="text-12 font-mono">
                          <VisibleText text={model} />
                        </code>
                      </NameCell>
                      <Cell>{day}</Cell>
                      <Cell>
                        <RateText k={passed} n={passed + failed} weight={weight} />
                      </Cell>
                      {verifier === null ? null : (
                        <Cell>
                          {spread?.p50 == null ? (
                            <span className="text-ink-3">no data</span>
                          ) : (
                            `${scoreText(spread.p50)}, n ${spread.n.toLocaleString('en')}`
                          )}
                        </Cell>
                      )}
                    </Row>
                  );
                }),
            )}
          </DataTable>
        </div>
      }
      data={modelData(models, scores, verifier)}
    />
  );
}

function RateText({ k, n, weight }: { k: number; n: number; weight: number }) {
  const { rate, interval, counts } = rateText(k, n, weight);
  return rate === null ? counts : `${rate} (${interval}) ${counts}`;
}

/** A score is comparable within one verifier only, so one is chosen. */
function ScoresChoice({
  value,
  verifiers,
  onChange,
}: {
  value: string | null;
  verifiers: readonly string[];
  onChange: (value: string | null) => void;
}) {
  // A verifier from an old URL is listed, with or without results.
  const all = value === null || verifiers.includes(value) ? verifiers : [value, ...verifiers];
  return (
    <Select
      label="Scores"
      value={value ?? ''}
      options={[
        ['', 'Without scores'],
        ...all.map((each) => [each, `Scores by ${plainText(each)}`] as const),
      ]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
      className="md:w-44"
    />
  );
}

interface ScoreLineProps {
  model: string;
  verifier: string;
  /** Null if this verifier gave no score. */
  scores: ModelScores | null;
  /** Upper end of the scale, the same for every model. */
  maxScore: number;
  first: string;
  last: string;
}

/** The median score of one model by day. Hollow for days with n under 20. */
function ScoreLine({ model, verifier, scores, maxScore, first, last }: ScoreLineProps) {
  const days = scores?.days ?? [];
  const placed = days.flatMap(({ day, spread }, index) => {
    if (spread?.p50 == null) return [];
    const y = yOf(Math.min(1, Math.max(0, spread.p50 / maxScore)));
    const text = `${day}: median score ${scoreText(spread.p50)} of ${spread.n.toLocaleString('en')}`;
    return [{ x: xOf(index, days.length), y, n: spread.n, day, text }];
  });
  const n = placed.reduce((sum, each) => sum + each.n, 0);
  return (
    <PlotAxes
      label={`Median score of ${model} by ${verifier} by day, of ${n.toLocaleString('en')} scores from ${first} to ${last}`}
      ticks={['0', scoreText(maxScore / 2), scoreText(maxScore)]}
      first={first}
      last={last}
    >
      <DayPoints points={placed} color="var(--color-series-2)" />
    </PlotAxes>
  );
}
