import type { Drift } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { pText } from '@/app/_ui/rate';
import { VisibleText } from '@/app/_ui/visible-text';
import { MeasureText } from '../measure-text';
import { EstimateRow, FactRow, FactsTable } from './facts-table';
import { IntervalBar } from '../interval-bar';

/**
 * How much of a change of the pass rate is due to the judge, measured by judging the same frozen
 * items again (calibration.md 5.9).
 */
export function DriftPanel({ drift }: { drift: Drift }) {
  const { set, before, after, flips, better, worse, p, headline, judgePart, systemPart } = drift;
  return (
    <Panel
      title="Drift"
      aside={
        <span className="text-12 text-ink-3">{set.items.toLocaleString('en')} frozen items</span>
      }
    >
      <p className="max-w-[72ch] px-4 py-3">
        <VisibleText text={set.name} />: judged by {side(before)} <Moment at={before.at} />, and by{' '}
        {side(after)} <Moment at={after.at} />.
      </p>
      <FactsTable label="Drift">
        <EstimateRow
          name="change of the pass rate"
          meaning="in production, between the two runs"
          estimate={headline}
          scale="signed"
          strong
        />
        <EstimateRow
          name="change due to the judge"
          meaning="of the same frozen items, judged again"
          estimate={judgePart}
          scale="signed"
        />
        <EstimateRow
          name="change due to the system"
          meaning="the remainder: the traffic changed"
          estimate={systemPart}
          scale="signed"
        />
        <FactRow
          name="decided differently"
          meaning="frozen items whose verdict changed, of those that both runs decided"
          bar={
            <IntervalBar
              value={flips.value}
              low={flips.low}
              high={flips.high}
              few={flips.state === 'insufficient'}
            />
          }
        >
          <MeasureText
            stacked
            name="decided differently"
            measure={flips}
            numeratorHref={null}
            denominatorHref={null}
          />
        </FactRow>
        <FactRow name="became right, became wrong" meaning="mid-p of McNemar’s test" bar={null}>
          <span>
            {better.toLocaleString('en')} and {worse.toLocaleString('en')}
            {p === null ? '' : `, p ${pText(p)}`}
          </span>
        </FactRow>
      </FactsTable>
    </Panel>
  );
}

function side({ verifier, judge }: Drift['before']): string {
  return judge === null ? verifier : `${verifier} with ${judge}`;
}
