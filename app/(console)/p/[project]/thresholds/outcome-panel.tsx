import type { Measure, SimulatedCandidate } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { measuredText, minSampleSize } from '@/app/_ui/rate';
import { IntervalBar } from '../calibration/interval-bar';
import { MeasureText } from '../calibration/measure-text';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { signedCount } from './threshold-words';
import { MatrixHead } from '../calibration/matrix-head';

interface OutcomePanelProps {
  /** The value in the field; `figures` may still be of the previous one. */
  value: number;
  figures: SimulatedCandidate;
  base: SimulatedCandidate;
  labelled: number;
}

type MatrixKey = keyof SimulatedCandidate['matrix'];

const rows: readonly { name: string; cells: readonly { key: MatrixKey; words: string }[] }[] = [
  {
    name: 'Flagged',
    cells: [
      { key: 'caught', words: 'caught' },
      { key: 'rejected', words: 'false rejections' },
    ],
  },
  {
    name: 'Passed',
    cells: [
      { key: 'missed', words: 'missed failures' },
      { key: 'passed', words: 'correct passes' },
    ],
  },
];

/** The matrix and both rates of a value, as the server computed them, while the line is moved. */
export function OutcomePanel({ value, figures, base, labelled }: OutcomePanelProps) {
  const isBehind = figures.value !== value;
  const { matrix, catchRate, falseRejectionRate } = figures;
  const undecided = labelled - Object.values(matrix).reduce((sum, count) => sum + count, 0);
  return (
    <Panel title={`At ${plainNumber(figures.value)}`}>
      <div aria-busy={isBehind} className={isBehind ? 'opacity-60' : ''}>
        <table aria-label="Confusion matrix" className="w-full border-collapse">
          <MatrixHead />
          <tbody>
            {rows.map(({ name, cells }) => (
              <tr key={name} className="border-line border-b">
                <th scope="row" className="text-12 text-ink-2 px-4 align-top">
                  <span className="block py-2">{name}</span>
                </th>
                {cells.map(({ key, words }) => (
                  <td key={key} className="px-4 py-2 align-top">
                    <span className="text-20 font-semibold">
                      {matrix[key].toLocaleString('en')}
                    </span>
                    {matrix[key] === base.matrix[key] ? null : (
                      <span className="text-12 text-ink-2">
                        {' '}
                        {signedCount(matrix[key] - base.matrix[key])}
                      </span>
                    )}
                    <span className="text-12 text-ink-3 block">{words}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <dl className="grid gap-x-6 gap-y-3 px-4 py-3 sm:grid-cols-2">
          <Rate
            name="catch rate"
            formula="caught ÷ (caught + missed failures)"
            measure={catchRate}
          />
          <Rate
            name="false rejections"
            formula="false rejections ÷ (false rejections + correct passes)"
            measure={falseRejectionRate}
          />
        </dl>
        <p className="text-12 text-ink-3 border-line border-t px-4 py-2">
          {undecided === 0
            ? 'Every labelled verdict passes or fails.'
            : `${undecided.toLocaleString('en')} more neither pass nor fail, and need a person.`}{' '}
          The small numbers are the change from the current value.
        </p>
      </div>
    </Panel>
  );
}

function Rate({ name, formula, measure }: { name: string; formula: string; measure: Measure }) {
  const { value, low, high, denominator } = measure;
  return (
    <div title={`${name} = ${formula} = ${measuredText(measure).counts}`}>
      <dt className="text-12 text-ink-3 first-letter:uppercase">{name}</dt>
      <dd className="grid gap-1">
        <MeasureText
          stacked
          name={name}
          measure={measure}
          numeratorHref={null}
          denominatorHref={null}
        />
        <IntervalBar value={value} low={low} high={high} few={denominator < minSampleSize} />
      </dd>
    </div>
  );
}
