import type { Changes } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { type Filters, filterQuery } from '../verdicts/filters';
import { CountLink } from './count-link';

/** Models that a verifier fails now and did not in the previous period, if there are any. */
export function NewFailuresPanel({
  project,
  changes: { newlyFailing, from, before },
}: {
  project: string;
  changes: Changes;
}) {
  return (
    <Panel title="New failures">
      <DataTable label="New failures" heads={['Verifier', 'Model', 'Failed', 'Before']}>
        {newlyFailing.map(({ verifier, model, failed, decided, decidedBefore }) => {
          const of = model === null ? ', no model named' : `, ${model}`;
          const rows = (part: Partial<Filters>): string =>
            `/p/${project}/verdicts${filterQuery({ ...part, verifier, model: model ?? '' })}`;
          return (
            <Row key={`${verifier} ${model ?? ''}`}>
              <NameCell>
                <code className="text-12 font-mono">
                  <VisibleText text={verifier} />
                </code>
              </NameCell>
              <Cell>
                {model === null ? (
                  <span className="text-ink-3">none named</span>
                ) : (
                  <code className="text-12 font-mono">
                    <VisibleText text={model} />
                  </code>
                )}
              </Cell>
              <Cell>
                <CountLink
                  count={failed}
                  name={`failed by ${verifier}${of}`}
                  href={rows({ outcome: ['failed'], from })}
                />{' '}
                <span className="text-12 text-ink-2">
                  of{' '}
                  <CountLink
                    count={decided}
                    name={`decided by ${verifier}${of}`}
                    href={rows({ outcome: ['passed', 'failed'], from })}
                  />{' '}
                  decided
                </span>
              </Cell>
              <Cell>
                {decidedBefore === 0 ? (
                  <span className="text-ink-3">new: not seen before</span>
                ) : (
                  <span className="text-12 text-ink-2">
                    none of{' '}
                    <CountLink
                      count={decidedBefore}
                      name={`decided by ${verifier} before${of}`}
                      href={rows({ outcome: ['passed', 'failed'], from: before, to: from })}
                    />
                  </span>
                )}
              </Cell>
            </Row>
          );
        })}
      </DataTable>
    </Panel>
  );
}
