import Link from 'next/link';
import type { Changes } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Empty, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { filterQuery } from '../verdicts/filters';

/** Models that a verifier fails now and did not in the period before. */
export function NewlyFailingPanel({ project, changes: { newlyFailing, from } }: { project: string; changes: Changes }) {
  return (
    <Panel title="Failing now, not before">
      {newlyFailing.length === 0 ? (
        <Empty title="Nothing fails that did not fail in the period before." />
      ) : (
        <DataTable label="Failing now, not before" heads={['Verifier', 'Model', 'Failed', 'Before']}>
          {newlyFailing.map(({ verifier, model, failed, decided, decidedBefore }) => (
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
                {/* Those of no named model cannot be filtered for alone: all that failed are shown. */}
                <Link
                  href={`/p/${project}/verdicts${filterQuery({ outcome: ['failed'], verifier, model, from })}`}
                  prefetch={false}
                  aria-label={`${failed.toLocaleString('en')} failed by ${verifier}${model === null ? '' : `, ${model}`}`}
                  className="underline"
                >
                  {failed.toLocaleString('en')}
                </Link>{' '}
                <span className="text-12 text-ink-2">of {decided.toLocaleString('en')} decided</span>
              </Cell>
              <Cell>
                {decidedBefore === 0 ? (
                  <span className="text-ink-3">new: not seen before</span>
                ) : (
                  <span className="text-12 text-ink-2">none of {decidedBefore.toLocaleString('en')}</span>
                )}
              </Cell>
            </Row>
          ))}
        </DataTable>
      )}
    </Panel>
  );
}
