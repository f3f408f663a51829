'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { Alert, AlertBoard } from '@/app/_trpc/outputs';
import { Cell, DataTable, Row } from '@/app/_ui/data-table';
import { Age } from '@/app/_ui/moment';
import { Empty, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { FoldBlock } from '../verdicts/[id]/block';
import { AlertCard, AlertLinks } from './alert-card';
import { AlertMark } from './alert-mark';
import { AlertTitle } from './alert-title';
import { alertName, limitText, stateWord } from './alert-words';
import { StateStrip } from './state-strip';
import { stripParts } from './strip-parts';

const stripDays = 7;
const dayMs = 86_400_000;
/** Most alerts shown with a strip of their last days; each strip is loaded separately. */
const maxStrips = 10;

/** Current alerts, each with its last days. */
export function AlertingPanel({
  project,
  board,
  mayAcknowledge,
}: {
  project: string;
  board: AlertBoard;
  mayAcknowledge: boolean;
}) {
  const alerting = board.alerts.filter(({ state }) => state === 'alerting');
  return (
    <Panel
      title="Alerting"
      aside={
        alerting.length === 0 ? null : (
          <span className="text-12 text-ink-3">{alerting.length.toLocaleString('en')} now</span>
        )
      }
    >
      {alerting.length > 0 ? (
        <ul aria-label="Alerting now">
          {alerting.map((alert, index) => (
            <AlertCard
              key={`${alert.kind} ${alert.series}`}
              project={project}
              alert={alert}
              mayAcknowledge={mayAcknowledge}
            >
              {index < maxStrips ? <LastDays project={project} alert={alert} /> : null}
            </AlertCard>
          ))}
        </ul>
      ) : (
        <Empty title={board.checkedAt === null ? 'Not checked yet.' : 'No alerts.'}>
          {board.alerts.length === 0 ? null : <p>{quietText(board.alerts)}</p>}
        </Empty>
      )}
    </Panel>
  );
}

/** Loaded separately: without the history, the alert is shown without its strip. */
function LastDays({ project, alert }: { project: string; alert: Alert }) {
  const trpc = useTRPC();
  const { kind, series } = alert;
  const { data } = useQuery(
    trpc.alerts.history.queryOptions(
      { project, kind, series, limit: 200 },
      { staleTime: 60_000, retry: false },
    ),
  );
  // The server's time, so that a browser with a wrong clock draws the same; an alert that began
  // with that check needs a visible width too.
  const now = Math.max(alert.checkedAt.getTime(), alert.since.getTime() + 1000);
  // The strip of a first alert of today would be empty.
  const isNew = now - alert.since.getTime() < dayMs;
  if (data === undefined) return isNew ? null : <div className="h-8" />;
  if (isNew && data.items.length <= 1) return null;
  return (
    <StateStrip
      name={alertName(alert)}
      parts={stripParts(alert, data.items, now - stripDays * dayMs, now)}
      days={stripDays}
    />
  );
}

function quietText(alerts: readonly Alert[]): string {
  const blind = alerts.filter(({ state }) => state === 'no_data').length;
  const what = `${alerts.length.toLocaleString('en')} ${alerts.length === 1 ? 'condition is' : 'conditions are'} checked`;
  return blind === 0
    ? `${what}, and each is within its limit.`
    : `${what}; ${blind.toLocaleString('en')} of them without data, so their state is unknown.`;
}

/** Every check that does not alert, on request: those without data first. */
export function QuietPanel({ project, alerts }: { project: string; alerts: readonly Alert[] }) {
  const quiet = alerts.filter(({ state }) => state !== 'alerting');
  if (quiet.length === 0) return null;
  const blind = quiet.filter(({ state }) => state === 'no_data').length;
  return (
    <FoldBlock
      title="Checked, not alerting"
      aside={
        <span className="text-12 text-ink-3">
          {quiet.length.toLocaleString('en')}
          {blind === 0 ? '' : `, ${blind.toLocaleString('en')} without data`}
        </span>
      }
    >
      <DataTable
        label="Checked, not alerting"
        heads={['Alert', 'State', 'Found', 'Limit', 'For', '']}
      >
        {quiet.map((alert) => (
          <Row key={`${alert.kind} ${alert.series}`}>
            <th
              scope="row"
              className="max-w-80 min-w-48 px-4 py-1 font-normal [overflow-wrap:anywhere]"
            >
              <AlertTitle alert={alert} />
            </th>
            <Cell>
              <AlertMark state={alert.state} word={stateWord(alert)} />
            </Cell>
            <td className="text-ink-2 max-w-[56ch] min-w-56 px-4 py-1 [overflow-wrap:anywhere]">
              <VisibleText text={alert.message} />
            </td>
            <Cell>
              {limitText(alert.kind, alert.limit) ?? <span className="text-ink-3">none</span>}
            </Cell>
            <Cell>
              <Age at={alert.since} />
            </Cell>
            <Cell end>
              <AlertLinks project={project} alert={alert} />
            </Cell>
          </Row>
        ))}
      </DataTable>
    </FoldBlock>
  );
}
