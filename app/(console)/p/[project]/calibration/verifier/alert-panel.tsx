'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { CalibrationReport } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { alertFacts } from '@/server/alerts/input';
import { AlertCard } from '../../alerts/alert-card';

const names: Record<CalibrationReport['alerts'][number]['measure'], string> = {
  catchRate: 'Catch rate',
  falsePositiveRate: 'False rejections of all',
  retrySuccess: 'Retry success',
};

interface AlertPanelProps extends Pick<CalibrationReport, 'alerts'> {
  project: string;
  verifier: string;
}

/**
 * SOAR-31: measures of the chosen period beyond their limit, with the advice, and the current
 * alerts of this verifier, which use the windows and limits of their rules. Renders nothing without
 * either.
 */
export function AlertPanel({ project, verifier, alerts }: AlertPanelProps) {
  const trpc = useTRPC();
  // Loaded separately: without it the page still evaluates its own period.
  const { data } = useQuery(trpc.alerts.board.queryOptions({ project }, { retry: false }));
  const alerting = (data?.alerts ?? []).filter(
    ({ kind, series, state }) =>
      state === 'alerting' && alertFacts[kind].perVerifier && series === verifier,
  );
  if (alerts.length === 0 && alerting.length === 0) return null;
  return (
    <Panel
      title="Action needed"
      aside={
        <Link
          href={`/p/${project}/alerts`}
          prefetch={false}
          className="text-ink-2 hover:text-ink underline"
        >
          Alerts
        </Link>
      }
    >
      {alerts.length === 0 ? null : (
        <ul aria-label="Alerts" className="grid gap-2 p-4">
          {alerts.map(({ measure, action }) => (
            <li key={measure} className="max-w-[72ch]">
              <strong className="font-semibold">{names[measure]}:</strong> {action}
            </li>
          ))}
        </ul>
      )}
      {alerting.length === 0 ? null : (
        <ul aria-label="Alerting now" className={alerts.length === 0 ? '' : 'border-line border-t'}>
          {alerting.map((alert) => (
            <AlertCard key={alert.kind} project={project} alert={alert} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
