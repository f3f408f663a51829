import type { CheckpointsSummary } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { ChartPanel } from './chart-panel';

type Mean = CheckpointsSummary['byComplexity'][number]['self'];

/** a planner's opinion of its own plan is a separate series. */
const series = [
  { key: 'others', name: 'Judged by another model or the caller', color: 'var(--color-series-1)' },
  { key: 'self', name: 'Self-verified', color: 'var(--color-series-2)' },
] as const;

export function ScorePanel({ summary: { byComplexity, from } }: { summary: CheckpointsSummary }) {
  const some = byComplexity.some(({ others, self }) => others.n + self.n > 0);
  const scored = byComplexity.reduce((sum, { others, self }) => sum + others.n + self.n, 0);
  return (
    <ChartPanel
      title="Average score by complexity"
      description="Average score of decompositions by complexity; a planner’s score of its own plan is shown separately."
      from={from}
      n={`n ${scored.toLocaleString('en')} scores`}
      label="Average score of decompositions by complexity, 0 to 1"
      empty="No decomposition was scored in this period."
      bars={
        some
          ? {
              series,
              rows: byComplexity.map(({ complexity, others, self }) => ({
                name: complexity,
                others: others.average,
                self: self.average,
              })),
              isStacked: false,
              max: 1,
              text: (value) => value.toFixed(2),
            }
          : null
      }
      note={
        some
          ? `n: ${byComplexity.map(({ complexity, others, self }) => `${complexity} ${others.n + self.n}`).join(', ')}`
          : null
      }
      data={{
        columns: [
          'complexity',
          'average by others',
          'n by others',
          'average self-verified',
          'n self-verified',
        ],
        rows: byComplexity.map(({ complexity, others, self }) => [
          complexity,
          others.average,
          others.n,
          self.average,
          self.n,
        ]),
      }}
      table={
        <DataTable
          label="Average score by complexity"
          heads={['Complexity', ...series.map(({ name }) => name)]}
        >
          {byComplexity.map(({ complexity, others, self }) => (
            <Row key={complexity}>
              <NameCell>{complexity}</NameCell>
              <Cell>
                <MeanText mean={others} />
              </Cell>
              <Cell>
                <MeanText mean={self} />
              </Cell>
            </Row>
          ))}
        </DataTable>
      }
    />
  );
}

function MeanText({ mean: { average, n } }: { mean: Mean }) {
  if (average === null) return <span className="text-ink-3">no data</span>;
  return (
    <>
      {average.toFixed(2)} <span className="text-12 text-ink-2">n {n.toLocaleString('en')}</span>
    </>
  );
}
