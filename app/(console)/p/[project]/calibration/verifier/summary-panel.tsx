import type { CalibrationReport } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { minSampleSize } from '@/app/_ui/rate';
import { type About, rowsHref } from '../addresses';
import { IntervalBar } from '../interval-bar';
import { MeasureText } from '../measure-text';
import { EstimateRow, FactRow, FactsTable } from './facts-table';

/** Summaries of the matrix in one figure each; none of them replaces both rates. */
export function SummaryPanel({
  about,
  report: { precision, summary, from },
}: {
  about: About;
  report: CalibrationReport;
}) {
  const { value, low, high, denominator } = precision;
  return (
    <Panel title="Summary figures">
      <FactsTable label="Summary figures">
        <FactRow
          name="precision"
          meaning="bad subjects, of those that were flagged"
          bar={
            <IntervalBar value={value} low={low} high={high} few={denominator < minSampleSize} />
          }
        >
          <MeasureText
            stacked
            name="precision"
            measure={precision}
            numeratorHref={rowsHref(about, 'caught', { from })}
            denominatorHref={null}
          />
        </FactRow>
        <EstimateRow
          name="balanced accuracy"
          meaning="mean of catch rate and correct passes of the good subjects"
          estimate={summary.balancedAccuracy}
          scale="share"
        />
        <EstimateRow
          name="Youden J"
          meaning="catch rate less false rejections of the good subjects; 0 is no better than chance"
          estimate={summary.youden}
          scale="signed"
        />
        <EstimateRow
          name="F1"
          meaning="harmonic mean of precision and catch rate"
          estimate={summary.f1}
          scale="number"
        />
        <EstimateRow
          name="MCC"
          meaning="correlation of verifier and truth, −1 to 1"
          estimate={summary.mcc}
          scale="signed"
        />
      </FactsTable>
    </Panel>
  );
}
