import type { Measure, SimulatedCandidate, Simulation } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { minSampleSize } from '@/app/_ui/rate';
import { IntervalBar } from '../calibration/interval-bar';
import { MeasureText } from '../calibration/measure-text';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { signedCount } from './threshold-words';

interface ComparePanelProps {
  simulation: Simulation;
  /** The numbers are still those of the previous value. */
  isBehind: boolean;
}

type MeasureKey = 'catchRate' | 'falseRejectionRate' | 'falsePositiveRate' | 'reviewLoad';

const rows: readonly { key: MeasureKey; name: string; meaning: string; target?: number }[] = [
  {
    key: 'catchRate',
    name: 'catch rate',
    meaning: 'bad items that are flagged; target 70%',
    target: 0.7,
  },
  {
    key: 'falseRejectionRate',
    name: 'false rejections',
    meaning: 'good items rejected, of all good items',
  },
  {
    key: 'falsePositiveRate',
    name: 'false rejections of all',
    meaning: 'good items rejected, of all items; target 10%',
    target: 0.1,
  },
  {
    key: 'reviewLoad',
    name: 'review load',
    meaning: 'verdicts that need a person: review was requested, or they neither passed nor failed',
  },
];

/** The current value next to the candidate, on the same verdicts. */
export function ComparePanel({ simulation, isBehind }: ComparePanelProps) {
  const { base, candidates, current, labelled, good, bad, unknown, recorded } = simulation;
  const [first] = candidates;
  const candidate =
    first === undefined || first.value === current || first.fault !== null ? null : first;
  return (
    <Panel
      title="Current and candidate"
      aside={
        <span className="text-12 text-ink-3" role="status">
          {isBehind ? 'calculating' : `95% intervals; under n = ${minSampleSize} only counts`}
        </span>
      }
    >
      <div
        className="overflow-x-auto"
        tabIndex={0}
        role="region"
        aria-label="Current and candidate, table"
      >
        <table
          aria-label="Current and candidate"
          aria-busy={isBehind}
          className="w-full border-collapse"
        >
          <thead className="text-12 text-ink-2">
            <tr className="border-line h-8 border-b">
              <td />
              <th scope="col" className="px-4 whitespace-nowrap">
                As decided
              </th>
              <th scope="col" className="px-4 whitespace-nowrap">
                Current, {plainNumber(current)}
              </th>
              {candidate === null ? null : (
                <>
                  <th scope="col" className="px-4 whitespace-nowrap">
                    Candidate, {plainNumber(candidate.value)}
                  </th>
                  <th scope="col" className="px-4 text-right whitespace-nowrap">
                    Change
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, meaning, target }) => (
              <tr key={key} className="border-line border-b">
                <th scope="row" className="min-w-36 px-4 py-2 align-top font-normal">
                  <span className="block first-letter:uppercase">{name}</span>
                  <span className="text-12 text-ink-3 block">{meaning}</span>
                </th>
                {key === 'reviewLoad' ? (
                  <td />
                ) : (
                  <MeasureCell
                    name={`${name} as decided`}
                    measure={recorded[key]}
                    target={target}
                  />
                )}
                <MeasureCell name={name} measure={base[key]} target={target} />
                {candidate === null ? null : (
                  <>
                    <MeasureCell name={name} measure={candidate[key]} target={target} />
                    <td className="px-4 py-2 text-right align-top whitespace-nowrap">
                      {changeText(base[key], candidate[key])}
                    </td>
                  </>
                )}
              </tr>
            ))}
            <CostRow base={base} candidate={candidate} />
          </tbody>
        </table>
      </div>
      <p className="text-12 text-ink-3 border-line border-t px-4 py-2">
        {labelled.toLocaleString('en')} labelled verdicts, {good.toLocaleString('en')} good and{' '}
        {bad.toLocaleString('en')} bad.
        {unknown === 0
          ? ''
          : ` ${unknown.toLocaleString('en')} more were stored by a release without recomputation, and are excluded.`}
        {
          ' “As decided” uses the thresholds of that time, as on the calibration page; the other columns recompute the same verdicts.'
        }
        {candidate === null ? ' Move the value to compare another one.' : ''}
      </p>
    </Panel>
  );
}

function MeasureCell({
  name,
  measure,
  target,
}: {
  name: string;
  measure: Measure;
  target: number | undefined;
}) {
  return (
    <td className="px-4 py-2 align-top">
      <span className="grid gap-1">
        <MeasureText
          stacked
          name={name}
          measure={measure}
          numeratorHref={null}
          denominatorHref={null}
        />
        <IntervalBar
          value={measure.value}
          low={measure.low}
          high={measure.high}
          few={measure.denominator < minSampleSize}
          {...(target !== undefined && { target })}
        />
      </span>
    </td>
  );
}

function CostRow({
  base,
  candidate,
}: {
  base: SimulatedCandidate;
  candidate: SimulatedCandidate | null;
}) {
  return (
    <tr>
      <th scope="row" className="px-4 py-2 align-top font-normal">
        <span className="block">Cost</span>
        <span className="text-12 text-ink-3 block">
          for the labelled verdicts, in your own unit
        </span>
      </th>
      <td />
      <td className="px-4 py-2 align-top">{unitCostText(base.cost)}</td>
      {candidate === null ? null : (
        <>
          <td className="px-4 py-2 align-top">{unitCostText(candidate.cost)}</td>
          <td className="px-4 py-2 text-right align-top">
            {signedCount(candidate.cost - base.cost)}
          </td>
        </>
      )}
    </tr>
  );
}

/**
 * Both values cover the same verdicts, so only the change in the count is shown: the interval of a
 * difference cannot be read off the two intervals.
 */
function changeText(base: Measure, candidate: Measure): string {
  if (base.numerator === null || candidate.numerator === null || candidate.denominator === 0)
    return '';
  return signedCount(candidate.numerator - base.numerator);
}

const unitCostText = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 2 });
