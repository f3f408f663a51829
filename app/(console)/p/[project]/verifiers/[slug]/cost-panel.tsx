import type { VerifierPage } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Panel } from '@/app/_ui/panel';
import { costText } from '../../traces/amounts';
import { percentText } from '../../verdicts/[id]/subject/words';

/** Judging cost compared with the cost of the judged work, where callers reported that. */
export function CostPanel({ costs }: { costs: NonNullable<VerifierPage['costs']> }) {
  return (
    <Panel
      title="Cost of judging"
      aside={
        <span className="text-12 text-ink-3">the share is of work whose cost was sent with it</span>
      }
    >
      <DataTable
        label="Cost of judging"
        heads={['Period', 'Verdicts', 'With a judge', 'Judging', 'Tokens', 'Work', 'Share']}
      >
        {costs.map((cost) => (
          <Row key={cost.days}>
            <NameCell>{cost.days} days</NameCell>
            <Cell>{cost.verdicts.toLocaleString('en')}</Cell>
            <Cell>{cost.judged.toLocaleString('en')}</Cell>
            <Cell>{judgingText(cost)}</Cell>
            <Cell>{cost.tokens.toLocaleString('en')}</Cell>
            <Cell>
              {cost.priced === 0 ? (
                <span className="text-ink-3">unknown</span>
              ) : (
                costText(cost.workUsd)
              )}
            </Cell>
            <Cell>
              {cost.share === null || (cost.unpriced > 0 && cost.judgingUsd === 0) ? (
                <span className="text-ink-3">unmeasured</span>
              ) : (
                <>
                  {minText(cost)}
                  {percentText(cost.share)}{' '}
                  <span className="text-12 text-ink-2">n {cost.priced.toLocaleString('en')}</span>
                </>
              )}
            </Cell>
          </Row>
        ))}
      </DataTable>
    </Panel>
  );
}

type Cost = NonNullable<VerifierPage['costs']>[number];

/** A model without a known price is not free. */
function judgingText(cost: Cost): string {
  if (cost.unpriced > 0 && cost.judgingUsd === 0) return 'price not known';
  return `${minText(cost)}${costText(cost.judgingUsd)}`;
}

const minText = ({ unpriced }: Cost): string => (unpriced > 0 ? 'at least ' : '');
