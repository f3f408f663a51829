import type { CalibrationReport } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { EstimateRow, FactsTable } from './facts-table';

const stateWords: Record<CalibrationReport['correlation']['state'], string> = {
  no_data: 'No data: there are no pairs, or one of the two does not vary.',
  insufficient: 'Fewer than 100 pairs: too few to suggest anything.',
  on_target: 'Scores correlate with the labels; no action needed.',
  recalibrate: 'Scores correlate weakly with the labels: recalibrate.',
};

/** SOAR-33: whether scores correlate with labels, and the advice if they do not. */
export function CorrelationPanel({
  correlation: { pearson, spearman, state, advice },
}: Pick<CalibrationReport, 'correlation'>) {
  return (
    <Panel title="Score and truth">
      <p className="px-4 py-3">
        <span className={state === 'recalibrate' ? 'font-semibold' : ''}>{stateWords[state]}</span>
      </p>
      <FactsTable label="Score and truth">
        <EstimateRow
          name="Pearson"
          meaning="Between score and truth (0 or 1)."
          estimate={pearson}
          scale="signed"
          of="pairs"
        />
        <EstimateRow
          name="Spearman"
          meaning="The same of their ranks."
          estimate={spearman}
          scale="signed"
          of="pairs"
        />
      </FactsTable>
      {advice.length === 0 ? null : (
        <ul
          aria-label="Advice"
          className="border-line grid list-disc gap-1 border-t py-3 pr-4 pl-8"
        >
          {advice.map((each) => (
            <li key={each} className="max-w-[72ch]">
              {each}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
