import Link from 'next/link';
import type { Experiment } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Panel } from '@/app/_ui/panel';
import { countText } from '../experiment-words';
import { CorrectedRateText, MeanScoreText, PassRateText } from '../rate-cells';

/** The rates of each verifier. */
export function ResultsPanel({ project, experiment }: { project: string; experiment: Experiment }) {
  return (
    <Panel
      title="Results"
      aside={
        <span className="text-12 text-ink-3">
          Inconclusive and skipped verdicts are in no pass rate. Under 20 verdicts, only counts.
        </span>
      }
    >
      <DataTable
        label="Results by verifier"
        heads={[
          'Verifier',
          'Pass rate',
          'Corrected pass rate',
          'Mean score',
          'Unscored',
          'No result',
        ]}
      >
        {experiment.results.map((result) => (
          <Row key={result.verifier}>
            <NameCell>
              <Link
                href={`/p/${project}/verifiers/${result.verifier}`}
                prefetch={false}
                className="underline"
              >
                {result.verifier}
              </Link>
            </NameCell>
            <Cell>
              <PassRateText measure={result.passRate} />
            </Cell>
            <Cell>
              <CorrectedRateText measure={result.correctedPassRate} />
            </Cell>
            <Cell>
              <MeanScoreText measure={result.meanScore} />
            </Cell>
            <Cell>{countText(result.unscored)}</Cell>
            <Cell>{countText(result.withoutResult)}</Cell>
          </Row>
        ))}
      </DataTable>
    </Panel>
  );
}
