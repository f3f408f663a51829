import type { CalibrationReport, Estimate } from '@/app/_trpc/outputs';
import { Empty, Panel } from '@/app/_ui/panel';
import { minSampleSize } from '@/app/_ui/rate';
import { VisibleText } from '@/app/_ui/visible-text';
import { bandOf } from '@/server/domain';
import { EstimateText } from '../estimate-text';
import { EstimateRow, FactsTable } from './facts-table';

/**
 * The verifier's agreement with people, next to the agreement between people, which is the most
 * that can be expected.
 */
export function AgreementPanel({
  report: { human, rates, summary, contested },
}: {
  report: CalibrationReport;
}) {
  const kappa = { ...rates.kappa, n: rates.kappa.denominator };
  return (
    <Panel title="Agreement with people">
      <FactsTable label="Agreement with people">
        <EstimateRow
          name="verifier and truth, kappa"
          meaning="Agreement beyond chance, on all subjects with known truth."
          estimate={kappa}
          scale="signed"
          beside={<Band of={kappa} />}
        />
        <EstimateRow
          name="verifier and truth, AC1"
          meaning="Like kappa, but less sensitive to rare failures (Gwet)."
          estimate={summary.ac1}
          scale="signed"
          beside={<Band of={summary.ac1} />}
        />
        <EstimateRow
          name="verifier and each person, kappa"
          meaning="Mean over people, on items with labels of several people."
          estimate={human.machine}
          scale="signed"
          beside={<Band of={human.machine} />}
        />
        <EstimateRow
          name="people among themselves, alpha"
          meaning="Krippendorff’s alpha on the same items: the human ceiling."
          estimate={human.alpha}
          scale="signed"
          beside={<Band of={human.alpha} />}
        />
      </FactsTable>
      {human.pairs.length === 0 ? (
        <Empty title="No two people have labelled the same item yet.">
          <p>
            Require more than one rater in the review queue settings to measure agreement between
            people.
          </p>
        </Empty>
      ) : (
        <ul aria-label="Pairs of people" className="border-line grid gap-1 border-t px-4 py-3">
          {human.pairs.map(({ one, other, kappa: pair }) => (
            <li key={`${one} ${other}`} className="[overflow-wrap:anywhere]">
              <VisibleText text={one} /> and <VisibleText text={other} />: kappa{' '}
              <EstimateText estimate={pair} scale="signed" of="items" />
              <Band of={pair} />
            </li>
          ))}
        </ul>
      )}
      <p className="text-12 text-ink-3 border-line border-t px-4 py-2">
        {human.raters.toLocaleString('en')} {human.raters === 1 ? 'person' : 'people'} labelled{' '}
        {human.items.toLocaleString('en')} {human.items === 1 ? 'item' : 'items'} that another
        person also labelled.
        {contested === 0
          ? ''
          : ` ${contested.toLocaleString('en')} ${contested === 1 ? 'is' : 'are'} contested and excluded from all rates until someone resolves ${contested === 1 ? 'it' : 'them'}.`}
      </p>
    </Panel>
  );
}

/** The band of Landis and Koch, if there is a number. */
function Band({ of: { value, n } }: { of: Pick<Estimate, 'value' | 'n'> }) {
  return value === null || n < minSampleSize ? null : (
    <span className="text-12 text-ink-2">, {bandOf(value)}</span>
  );
}
