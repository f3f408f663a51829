import type { CheckpointsSummary } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { costText } from '../../traces/amounts';
import { checkpointName } from '../checkpoint-words';
import { ChartPanel } from './chart-panel';
import { costedText } from './panel-words';

const series = [
  { key: 'verifying', name: 'Verifying', color: 'var(--color-series-1)' },
  { key: 'work', name: 'Executing', color: 'var(--color-series-2)' },
] as const;

/** Both costs cover the same verdicts: those on work whose cost is known. */
export function CostPanel({ summary: { byCheckpoint, from } }: { summary: CheckpointsSummary }) {
  const sum = (of: (cost: CheckpointsSummary['byCheckpoint'][number]['cost']) => number): number =>
    byCheckpoint.reduce((total, { cost }) => total + of(cost), 0);
  const [verdicts, costed, unpriced] = [
    sum((cost) => cost.verdicts),
    sum((cost) => cost.costed),
    sum((cost) => cost.unpriced),
  ];
  return (
    <ChartPanel
      title="Cost of verifying against cost of executing"
      description="Cost of verification next to the cost of the verified work, in US dollars, by checkpoint."
      from={from}
      n={`n ${costed.toLocaleString('en')} verdicts`}
      part={
        costed < verdicts
          ? `cost of the work known of ${costed.toLocaleString('en')} of ${verdicts.toLocaleString('en')}`
          : null
      }
      label="US dollars spent on verification and on the work, by checkpoint"
      empty={
        verdicts === 0
          ? 'No checkpoint gave a verdict in this period.'
          : 'No call reported the cost of its work: send cost_usd to compare it.'
      }
      bars={
        costed === 0
          ? null
          : {
              series,
              rows: byCheckpoint.map(({ kind, cost }) => ({
                name: checkpointName[kind],
                verifying: cost.costed === 0 ? null : cost.verifyingCostedUsd,
                work: cost.costed === 0 ? null : cost.workUsd,
              })),
              isStacked: false,
              text: costText,
            }
      }
      data={{
        columns: [
          'checkpoint',
          'verifying (USD)',
          'executing (USD)',
          'verdicts with known cost',
          'verdicts',
          'all verifying (USD)',
        ],
        rows: byCheckpoint.map(({ kind, cost }) => [
          checkpointName[kind],
          cost.costed === 0 ? null : cost.verifyingCostedUsd,
          cost.costed === 0 ? null : cost.workUsd,
          cost.costed,
          cost.verdicts,
          cost.verifyingUsd,
        ]),
      }}
      table={
        <DataTable
          label="Costs by checkpoint"
          heads={['Checkpoint', 'Verifying', 'Executing', 'Share', 'Of verdicts', 'All verifying']}
        >
          {byCheckpoint.map(({ kind, cost }) => (
            <Row key={kind}>
              <NameCell>{checkpointName[kind]}</NameCell>
              <Cell>{cost.costed === 0 ? <NoData /> : costText(cost.verifyingCostedUsd)}</Cell>
              <Cell>{cost.costed === 0 ? <NoData /> : costText(cost.workUsd)}</Cell>
              <Cell>{cost.share === null ? <NoData /> : `${(cost.share * 100).toFixed(1)}%`}</Cell>
              <Cell>
                {cost.costed.toLocaleString('en')} of {cost.verdicts.toLocaleString('en')}
              </Cell>
              <Cell>
                {cost.unpriced > 0 ? 'at least ' : ''}
                {costText(cost.verifyingUsd)}
              </Cell>
            </Row>
          ))}
        </DataTable>
      }
      note={
        costed === 0
          ? null
          : `${costedText(costed, verdicts)}${
              unpriced === 0
                ? ''
                : ` ${unpriced.toLocaleString('en')} called a model without a price: the cost is at least this.`
            }`
      }
    />
  );
}

const NoData = () => <span className="text-ink-3">no data</span>;
