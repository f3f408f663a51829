import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../traces/amounts';
import { MeasureText } from '../measure-text';
import { type AnchorRun, outsideText, runStateText } from './anchor-words';

const heads = [
  'Run',
  'State',
  'Agreement',
  'Catch rate',
  'False rejections',
  'Excluded',
  'Judged by',
  'Cost',
];

/** The runs of a set, newest first. An active or aborted run shows its results so far. */
export function AnchorRunTable({ name, runs }: { name: string; runs: readonly AnchorRun[] }) {
  return (
    <DataTable label={`Runs of ${name}`} heads={heads}>
      {runs.map((run) => (
        <Row key={run.id}>
          <NameCell>
            <Moment at={run.startedAt} />
          </NameCell>
          <Cell>
            <StateText run={run} />
          </Cell>
          <Cell>
            <MeasureText
              stacked
              name="agreement"
              measure={run.agreement}
              numeratorHref={null}
              denominatorHref={null}
            />
          </Cell>
          <Cell>
            <MeasureText
              stacked
              name="catch rate"
              measure={run.catchRate}
              numeratorHref={null}
              denominatorHref={null}
            />
          </Cell>
          <Cell>
            <MeasureText
              stacked
              name="false rejections"
              measure={run.falseRejectionRate}
              numeratorHref={null}
              denominatorHref={null}
            />
          </Cell>
          <Cell>{outsideText(run) ?? <span className="text-ink-3">none</span>}</Cell>
          <Cell>
            <JudgedBy run={run} />
          </Cell>
          <Cell>{costText(run.costUsd)}</Cell>
        </Row>
      ))}
    </DataTable>
  );
}

/** The configuration of a run: it may explain a change of its rates. */
function JudgedBy({ run: { verifier, judge, prompts } }: { run: AnchorRun }) {
  return (
    <span className="text-12 inline-grid max-w-72 py-1 whitespace-normal [overflow-wrap:anywhere]">
      <span className="font-mono">{verifier}</span>
      {judge === null ? (
        <span className="text-ink-3">no model</span>
      ) : (
        <span className="font-mono">
          <VisibleText text={judge} />
        </span>
      )}
      {prompts === null ? null : (
        <span className="text-ink-2 font-mono">
          <VisibleText text={prompts} />
        </span>
      )}
    </span>
  );
}

function StateText({ run: { state, done, total, reason } }: { run: AnchorRun }) {
  const counts =
    state === 'done' ? '' : `, ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  if (state !== 'failed' || reason === null) return `${runStateText[state]}${counts}`;
  return (
    <span className="inline-block max-w-72 py-2 whitespace-normal [overflow-wrap:anywhere]">
      {runStateText[state]}
      {counts}: <VisibleText text={reason} />
    </span>
  );
}
