import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../traces/amounts';
import { MeasureText } from '../measure-text';
import { type AnchorRun, outsideText, runStateText } from './anchor-words';

const heads = ['Run', 'State', 'Agreement', 'Catch rate', 'False rejections', 'In no rate', 'Verifier', 'Judge', 'Prompts', 'Cost'];

/** The runs of a set, newest first. A run that goes on or came to no end shows what it has so far. */
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
            <MeasureText name="agreement" measure={run.agreement} part={null} whole={null} />
          </Cell>
          <Cell>
            <MeasureText name="catch rate" measure={run.catchRate} part={null} whole={null} />
          </Cell>
          <Cell>
            <MeasureText name="false rejections" measure={run.falseRejectionRate} part={null} whole={null} />
          </Cell>
          <Cell>{outsideText(run) ?? <span className="text-ink-3">none</span>}</Cell>
          <Cell mono>{run.verifier}</Cell>
          <Cell mono>{run.judge === null ? <span className="text-ink-3 font-sans">no model</span> : <VisibleText text={run.judge} />}</Cell>
          <Cell mono>{run.prompts === null ? <span className="text-ink-3 font-sans">none</span> : <VisibleText text={run.prompts} />}</Cell>
          <Cell>{costText(run.costUsd)}</Cell>
        </Row>
      ))}
    </DataTable>
  );
}

function StateText({ run: { state, done, total, reason } }: { run: AnchorRun }) {
  const counts = state === 'done' ? '' : `, ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  if (state !== 'failed' || reason === null) return `${runStateText[state]}${counts}`;
  return (
    <span className="inline-block max-w-72 py-2 whitespace-normal [overflow-wrap:anywhere]">
      {runStateText[state]}
      {counts}: <VisibleText text={reason} />
    </span>
  );
}
