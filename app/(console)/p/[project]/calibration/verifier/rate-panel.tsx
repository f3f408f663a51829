import type { ReactNode } from 'react';
import type { CalibrationReport, Measure, VerifierDetail } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { minSampleSize } from '@/app/_ui/rate';
import type { Cell } from '@/server/measures/input';
import { filterQuery } from '../../verdicts/filters';
import { type About, rowsHref, sliceOf } from '../addresses';
import { IntervalBar } from '../interval-bar';
import { MeasureText } from '../measure-text';

/** Every measure with its interval, its counts and its meaning. */
export function RatePanel({
  about,
  data,
}: {
  about: About;
  data: VerifierDetail | CalibrationReport;
}) {
  const { rates, from } = data;
  const rows = (cell: Cell): string => rowsHref(about, cell, { from });
  const verdicts = (outcome: ('passed' | 'failed')[]): string =>
    `/p/${about.project}/verdicts${filterQuery({ outcome, verifier: about.verifier, from })}`;
  const isOwn = about.origin === 'verifier';
  const isPart = about.policy != null || sliceOf(about) !== null;
  const line = (
    name: string,
    meaning: string,
    measure: Measure,
    part: string | null,
    whole: string | null,
    target?: number,
  ): ReactNode => (
    <tr key={name} className="border-line border-b last:border-0">
      <th scope="row" className="px-4 py-2 align-top font-normal">
        <span className="block first-letter:uppercase">{name}</span>
        <span className="text-12 text-ink-3 block">{meaning}</span>
      </th>
      <td className="px-4 py-2 align-top">
        <span className="grid gap-1">
          <MeasureText
            stacked
            name={name}
            measure={measure}
            numeratorHref={part}
            denominatorHref={whole}
          />
          <IntervalBar
            value={measure.value}
            low={measure.low}
            high={measure.high}
            from={measure.numerator === null ? -1 : 0}
            few={measure.denominator < minSampleSize}
            {...(target !== undefined && { target })}
          />
        </span>
      </td>
    </tr>
  );
  return (
    <Panel
      title="Measures"
      aside={
        <span className="text-12 text-ink-3">
          95% intervals; under n = {minSampleSize} only counts
        </span>
      }
    >
      <div className="scroll-sideways" tabIndex={0} role="region" aria-label="Measures, table">
        <table aria-label="Measures" className="w-full border-collapse">
          <tbody>
            {line(
              'catch rate',
              'bad subjects that were flagged; target 70%',
              rates.catchRate,
              rows('caught'),
              rows('bad'),
              0.7,
            )}
            {line(
              'false rejections',
              'good subjects rejected, of all good subjects',
              rates.falseRejectionRate,
              rows('rejected'),
              rows('good'),
            )}
            {line(
              'false rejections of all',
              'good subjects rejected, of all with known truth; target 10%',
              rates.falsePositiveRate,
              rows('rejected'),
              rows('labelled'),
              0.1,
            )}
            {line(
              'agreement',
              'verifier and truth agree',
              rates.agreement,
              rows('agreed'),
              rows('labelled'),
            )}
            {line('kappa', 'agreement beyond chance, −1 to 1', rates.kappa, null, rows('labelled'))}
            {isOwn
              ? line(
                  'override rate',
                  'overridden, of the verdicts that people ruled on',
                  rates.overrideRate,
                  rows('overruled'),
                  rows('ruled'),
                )
              : null}
            {isOwn
              ? line(
                  'retry success',
                  'retries that passed, of all retries; target 60%',
                  rates.retrySuccess,
                  null,
                  null,
                  0.6,
                )
              : null}
            {isOwn
              ? line(
                  'pass rate',
                  'by the verifier alone, before any ruling',
                  rates.passRate,
                  // The list of verdicts has no filter for judge, policy or slice.
                  about.judge == null && !isPart ? verdicts(['passed']) : null,
                  about.judge == null && !isPart ? verdicts(['passed', 'failed']) : null,
                )
              : line('pass rate', 'by the judge', rates.passRate, rows('passes'), rows('decided'))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
