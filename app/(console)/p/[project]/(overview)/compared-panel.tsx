import type { Changes } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Empty, Panel } from '@/app/_ui/panel';
import { minSampleSize, rateText } from '@/app/_ui/rate';
import { VisibleText } from '@/app/_ui/visible-text';
import { rowsHref } from '../calibration/addresses';
import { filterQuery } from '../verdicts/filters';
import { changeText } from './change-words';
import { CountLink } from './count-link';

type Compared = Changes['verifiers'][number]['passRate'];
type Share = Compared['now'];

interface Hrefs {
  readonly part: string;
  readonly whole: string;
}

/** Pass and catch rate of each verifier next to those of the previous period. */
export function ComparedPanel({
  project,
  changes: { verifiers, from, before },
}: {
  project: string;
  changes: Changes;
}) {
  return (
    <Panel
      title="Compared with previous period"
      aside={
        <span className="text-12 text-ink-3">
          95% intervals, of changes by Newcombe; under n = {minSampleSize} counts only
        </span>
      }
    >
      {verifiers.length === 0 ? (
        <Empty title="No verdict in this period or the one before." />
      ) : (
        <DataTable
          label="Compared with previous period"
          heads={['Verifier', 'Pass rate', 'Before', 'Change', 'Catch rate', 'Before', 'Change']}
        >
          {verifiers.map(({ verifier, passRate, catchRate }) => {
            const about = { project, verifier, origin: 'verifier' as const };
            const list = (
              outcome: ('passed' | 'failed')[],
              period: { from: Date; to?: Date },
            ): string => `/p/${project}/verdicts${filterQuery({ outcome, verifier, ...period })}`;
            const passes = (period: { from: Date; to?: Date }): Hrefs => ({
              part: list(['passed'], period),
              whole: list(['passed', 'failed'], period),
            });
            const caught = (period: { from: Date; to?: Date }): Hrefs => ({
              part: rowsHref(about, 'caught', period),
              whole: rowsHref(about, 'bad', period),
            });
            return (
              <Row key={verifier}>
                <NameCell>
                  <code className="text-12 font-mono">
                    <VisibleText text={verifier} />
                  </code>
                </NameCell>
                <Compare
                  name={`pass rate of ${verifier}`}
                  compared={passRate}
                  now={passes({ from })}
                  old={passes({ from: before, to: from })}
                />
                <Compare
                  name={`catch rate of ${verifier}`}
                  compared={catchRate}
                  now={caught({ from })}
                  old={caught({ from: before, to: from })}
                />
              </Row>
            );
          })}
        </DataTable>
      )}
    </Panel>
  );
}

function Compare({
  name,
  compared,
  now,
  old,
}: {
  name: string;
  compared: Compared;
  now: Hrefs;
  old: Hrefs;
}) {
  const { text, word } = changeText(compared);
  return (
    <>
      <Cell>
        <ShareText name={name} share={compared.now} hrefs={now} />
      </Cell>
      <Cell>
        <ShareText name={`${name} before`} share={compared.before} hrefs={old} />
      </Cell>
      <Cell>
        {word === null ? null : <strong className="font-semibold">{word} </strong>}
        <span className={compared.difference === null ? 'text-12 text-ink-3' : ''}>{text}</span>
      </Cell>
    </>
  );
}

function ShareText({
  name,
  share: { numerator, denominator, weight },
  hrefs,
}: {
  name: string;
  share: Share;
  hrefs: Hrefs;
}) {
  const { rate, interval } = rateText(numerator, denominator, weight);
  if (denominator === 0) return <span className="text-ink-3">unmeasured</span>;
  return (
    <span className="inline-grid">
      {rate === null ? null : (
        <span>
          {rate} ({interval})
        </span>
      )}
      <span className="text-12 text-ink-2">
        <CountLink href={hrefs.part} count={numerator} name={`${name}, numerator`} />/
        <CountLink href={hrefs.whole} count={denominator} name={`${name}, denominator`} />
      </span>
    </span>
  );
}
