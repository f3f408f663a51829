import { useLocale } from '@/app/_ui/use-locale';
import Link from 'next/link';
import type { Alert, AlertBoard } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { minSampleSize, rateText } from '@/app/_ui/rate';
import { VisibleText } from '@/app/_ui/visible-text';
import { Acknowledgement, AlertLinks } from '../alerts/alert-card';
import { AlertMark } from '../alerts/alert-mark';
import { AlertTitle } from '../alerts/alert-title';
import { AlertsUnchecked } from '../alerts/alerts-unchecked';
import { alertName } from '../alerts/alert-words';
import { asTimeMark } from '../change-marks';
import { dayText, type Fall, fallText, groupFalls, pointsText } from './answer';
import { changeText } from './change-words';
import { FallPicture } from './fall-picture';

interface FindingsPanelProps {
  project: string;
  board: AlertBoard;
  mayAcknowledge: boolean;
}

/** More would push the verifiers off the first screen; the rest is one click away. */
const maxShown = 5;

/** Open findings: falls of pass rates, the deepest first, then the others by severity. */
export function FindingsPanel({ project, board, mayAcknowledge }: FindingsPanelProps) {
  const findings = orderedFindings(board);
  const groups = groupFalls(board.falls);
  const open = board.alerts.filter(({ state }) => state === 'alerting').length;
  const shown = findings.slice(0, maxShown);
  return (
    <>
      {board.isStale ? <AlertsUnchecked checkedAt={board.checkedAt} /> : null}
      {shown.length === 0 ? (
        board.isStale ? null : (
          <p className="text-ink-2">No findings.</p>
        )
      ) : (
        <Panel
          title="Findings"
          aside={
            <Link href={`/p/${project}/alerts`} className="text-ink-2 hover:text-ink underline">
              {open === shown.length ? 'Alerts' : `All ${open.toLocaleString('en')} findings`}
            </Link>
          }
        >
          <ul aria-label="Open findings" className="grid grid-cols-[minmax(0,1fr)]">
            {shown.map((alert) => {
              const falls = groups.find(([{ findingId }]) => findingId === alert.findingId);
              return (
                <li
                  key={`${alert.kind} ${alert.series}`}
                  aria-label={alertName(alert)}
                  className="border-line grid gap-x-6 gap-y-1 border-b px-4 py-2 last:border-0 lg:grid-cols-[minmax(0,1fr)_auto]"
                >
                  <FindingText project={project} alert={alert} falls={falls} />
                  <div className="flex flex-wrap items-center gap-x-4 gap-y-1 lg:justify-end">
                    {falls === undefined ? null : <FallPicture fall={falls[0]} />}
                    <AlertLinks project={project} alert={alert} />
                    <Acknowledgement
                      project={project}
                      alert={alert}
                      mayAcknowledge={mayAcknowledge}
                    />
                  </div>
                </li>
              );
            })}
          </ul>
        </Panel>
      )}
    </>
  );
}

/**
 * The open findings in the order in which they are shown; of falls with one cause, only the
 * deepest.
 */
export function orderedFindings({ alerts, falls }: AlertBoard): readonly Alert[] {
  const alerting = alerts.filter(({ state }) => state === 'alerting');
  const alertOf = ({ findingId }: Fall) => alerting.find((alert) => alert.findingId === findingId);
  const fallen = new Set(falls.map(alertOf));
  return [
    ...groupFalls(falls).flatMap(([deepest]) => alertOf(deepest) ?? []),
    ...alerting.filter((alert) => !fallen.has(alert)),
  ];
}

function FindingText({
  project,
  alert,
  falls,
}: {
  project: string;
  alert: Alert;
  /** The falls with one cause, of which the alert is the deepest. */
  falls: readonly [Fall, ...Fall[]] | undefined;
}) {
  const [fall, ...others] = falls ?? [];
  return (
    <div className="grid min-w-0 gap-0.5 [overflow-wrap:anywhere]">
      <p className="flex flex-wrap items-center gap-x-3">
        <strong className="inline-flex items-center font-semibold">
          <AlertMark state={alert.state} word="" />
          <span>
            {fall === undefined ? <AlertTitle alert={alert} isOpen /> : <FallTitle fall={fall} />}
          </span>
        </strong>
        <span className="text-12 text-ink-3 whitespace-nowrap">
          found <Age at={alert.since} /> ago
        </span>
      </p>
      {fall === undefined ? (
        <p className="text-ink-2 max-w-[100ch]">
          <VisibleText text={alert.message} />
          {alert.advice === null ? null : (
            <>
              {' '}
              <VisibleText text={alert.advice} />
            </>
          )}
        </p>
      ) : (
        <>
          <FallFacts project={project} fall={fall} />
          {others.length === 0 ? null : <OtherFalls project={project} falls={others} />}
        </>
      )}
    </div>
  );
}

function OtherFalls({ project, falls }: { project: string; falls: readonly Fall[] }) {
  const locale = useLocale();
  return (
    <p className="text-ink-2 flex flex-wrap gap-x-2">
      <span>Fell at about the same time:</span>
      {falls.map((fall) => (
        <Link
          key={fall.findingId}
          href={`/p/${project}${fall.href}`}
          prefetch={false}
          className="underline"
        >
          {`${fall.verifier}${pointsText(fall)} since ${dayText(fall.since, locale)}`}
        </Link>
      ))}
    </p>
  );
}

function FallTitle({ fall }: { fall: Fall }) {
  const locale = useLocale();
  return (
    <>
      <VisibleText text={fallText(fall)} /> since {dayText(fall.since, locale)}
    </>
  );
}

/** Both rates with their intervals, the difference, and the changes around the day. */
function FallFacts({
  project,
  fall: { now, before, difference, changes },
}: {
  project: string;
  fall: Fall;
}) {
  const locale = useLocale();
  const [is, was] = [now, before].map(({ numerator, denominator }) => {
    const { rate, interval, counts } = rateText(numerator, denominator);
    return denominator < minSampleSize ? counts : `${rate} (${interval}) of ${counts}`;
  });
  return (
    <>
      <p className="text-ink-2">
        Pass rate {is} since then, {was} before
        {difference === null ? null : `: ${changeText({ now, before, difference }).text}`}
      </p>
      <p className="text-ink-2 flex flex-wrap gap-x-2">
        {changes.length === 0 ? (
          'No configuration changed around that day: compare the inputs, the model and its provider.'
        ) : (
          <>
            <span>Changed around that day:</span>
            {changes.map((change) => {
              const { id, at, text, href } = asTimeMark(project, change);
              return (
                <span key={id}>
                  {href === null ? (
                    <VisibleText text={text} />
                  ) : (
                    <Link href={href} prefetch={false} className="underline">
                      <VisibleText text={text} />
                    </Link>
                  )}{' '}
                  <span className="text-ink-3 whitespace-nowrap">{dayText(at, locale)}</span>
                </span>
              );
            })}
          </>
        )}
      </p>
    </>
  );
}
