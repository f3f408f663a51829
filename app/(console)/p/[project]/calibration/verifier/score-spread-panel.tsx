'use client';

import dynamic from 'next/dynamic';
import type { ScoreHistogram } from '@/app/_trpc/outputs';
import { periodText } from '@/app/_ui/chart-data';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { heights } from '@/app/_ui/time-chart';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { scoreText } from '../../models/spread-words';
import { binText, scoreData, scorePart, scoreSeries } from './score-spread-words';

const LazyChart = dynamic(() => import('./score-spread-chart'), { ssr: false });

/** The distribution of the scores, with the thresholds they are compared with. */
export function ScoreSpreadPanel({ histogram }: { histogram: ScoreHistogram }) {
  const { bins, spread, thresholds, from } = histogram;
  const series = scoreSeries(histogram);
  const filled = bins.filter(({ count }) => count > 0);
  return (
    <ChartFrame
      title="Scores"
      description="Number of verdicts by score, with failed ones shown separately; lines mark the thresholds of the project. Missions and tasks may have their own."
      period={periodText(from)}
      n={`n ${spread.n.toLocaleString('en')} scores`}
      part={scorePart(histogram)}
      legend={series.map((each) =>
        each.key === 'failed' ? { ...each, mark: <VerdictIcon state="failed" size={12} /> } : each,
      )}
      chart={
        spread.n === 0 ? null : (
          <div
            role="img"
            aria-label={`Verdicts by score from 0 to ${scoreText(histogram.max)}; half of the scores are at most ${spread.p50 === null ? 'unknown' : scoreText(spread.p50)}`}
            style={{ height: heights.tall }}
          >
            <LazyChart histogram={histogram} series={series} />
          </div>
        )
      }
      empty="No verdict with a score in this period."
      table={
        <div className="max-h-96 overflow-y-auto">
          <DataTable
            label="Verdicts by score"
            heads={['Score', 'Failed', 'Did not fail', 'Unclassified', 'All']}
          >
            {filled.map((bin) => (
              <Row key={bin.low}>
                <NameCell>{binText(bin)}</NameCell>
                <Cell>{bin.failed.toLocaleString('en')}</Cell>
                <Cell>{(bin.count - bin.failed - bin.unclassified).toLocaleString('en')}</Cell>
                <Cell>{bin.unclassified.toLocaleString('en')}</Cell>
                <Cell>{bin.count.toLocaleString('en')}</Cell>
              </Row>
            ))}
          </DataTable>
        </div>
      }
      data={scoreData(histogram)}
      note={
        thresholds.length === 0
          ? 'This verifier compares its score with no threshold.'
          : `${thresholds.map(({ key, value }) => `${key} ${scoreText(value)}`).join(', ')}. Of all versions and models; scores are accurate to 4% of their value.`
      }
    />
  );
}
