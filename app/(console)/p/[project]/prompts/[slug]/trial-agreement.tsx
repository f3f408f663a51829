import type { Measure, Trial } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { pText } from '@/app/_ui/rate';
import { MeasureText } from '../../calibration/measure-text';
import { GateView } from './gate-view';
import { optionNames, optionText, plural } from './trial-words';

type Side = Trial['tried'];

const measures: readonly (readonly [string, (side: Side) => Measure])[] = [
  ['Agreement with the truth', ({ rates }) => rates.agreement],
  ['Catch rate', ({ rates }) => rates.catchRate],
  ['False rejections of all', ({ rates }) => rates.falsePositiveRate],
  ['False rejections', ({ rates }) => rates.falseRejectionRate],
  ['Cohen’s kappa', ({ rates }) => rates.kappa],
];

/**
 * The rates of both options side by side, each with its interval and counts, and the promotion
 * gate's finding.
 */
export function TrialAgreement({ trial }: { trial: Trial }) {
  const { tried, production, findings } = trial;
  const names = optionNames(trial);
  const sides: readonly (readonly [string, Side])[] = [
    [names.candidate, tried],
    ...(production === null || names.other === null ? [] : [[names.other, production] as const]),
  ];
  return (
    <section aria-label="Agreement" className="border-line min-w-0 border-t">
      <DataTable label="Agreement" heads={['Measure', ...sides.map(([name]) => name)]}>
        {measures.map(([name, measureOf]) => (
          <Row key={name}>
            <NameCell>{name}</NameCell>
            {sides.map(([side, each]) => (
              <Cell key={side}>
                <MeasureText
                  name={`${name} of ${side}`}
                  measure={measureOf(each)}
                  numeratorHref={null}
                  denominatorHref={null}
                />
              </Cell>
            ))}
          </Row>
        ))}
        <Row>
          <NameCell>Not decided</NameCell>
          {sides.map(([side, each]) => (
            <Cell key={side}>{each.undecided.toLocaleString('en')}</Cell>
          ))}
        </Row>
        <Row>
          <NameCell>No result</NameCell>
          {sides.map(([side, each]) => (
            <Cell key={side}>{each.inconclusive.toLocaleString('en')}</Cell>
          ))}
        </Row>
      </DataTable>
      <div className="border-line border-t px-4 py-2">
        <p className="text-12 text-ink-2 max-w-[90ch]">
          {pairedText(trial)} Rates exclude subjects that an option neither passed nor failed; the
          comparison excludes subjects without a result.
        </p>
      </div>
      {findings === null || names.other === null ? null : (
        <div className="border-line grid gap-1 border-t px-4 py-3">
          <h3 className="font-semibold">
            {trial.heldOut ? 'Promotion gate' : 'As the promotion gate would see it'}
          </h3>
          {trial.heldOut ? null : (
            <p className="text-12 text-ink-2">
              Not only on held-out labels: the gate ignores this trial.
            </p>
          )}
          <GateView
            findings={findings}
            names={{ candidate: names.candidate, other: names.other }}
          />
        </div>
      )}
    </section>
  );
}

/** Whether the two differ by more than chance. */
export function pairedText({
  paired,
  version,
  judge,
  productionVersion,
  againstJudge,
}: Pick<Trial, 'paired' | 'version' | 'judge' | 'productionVersion' | 'againstJudge'>): string {
  if (paired === null || productionVersion === null)
    return 'This is the current version: there is no other to compare with.';
  const { both, better, worse, midP } = paired;
  if (midP === null)
    return `Of ${plural(both, 'subject')} that both decided, both are right about the same ones.`;
  return `Of ${plural(both, 'subject')} that both decided, ${optionText(version, judge)} alone is right about ${better}, ${optionText(productionVersion, againstJudge)} alone about ${worse} (McNemar, mid-p ${pText(midP)}).`;
}
