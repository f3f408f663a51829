'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { AlertBoard } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { ErrorPanel, Panel } from '@/app/_ui/panel';
import { AlertCard } from '../alerts/alert-card';
import { AlertsUnchecked } from '../alerts/alerts-unchecked';

interface NeedsPanelProps {
  project: string;
  /** Null when it could not be loaded with the page. */
  initial: AlertBoard | null;
}

/** More would push the numbers off the first screen; the others are one click away. */
const maxShown = 5;

/** Current alerts, loaded separately from the numbers; renders nothing without alerts. */
export function NeedsPanel({ project, initial }: NeedsPanelProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.alerts.board.queryOptions(
      { project },
      { ...(initial !== null && { initialData: initial }), refetchInterval: 60_000 },
    ),
  );
  if (data === undefined) {
    if (error === null) return null;
    return (
      <ErrorPanel
        what="Alerts could not be read"
        works="The numbers below are still valid; alerts are still raised and sent."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  const alerting = data.alerts.filter(({ state }) => state === 'alerting');
  return (
    <>
      {data.isStale ? <AlertsUnchecked checkedAt={data.checkedAt} /> : null}
      {alerting.length === 0 ? null : (
        <Panel
          title="Needs you"
          aside={
            <Link href={`/p/${project}/alerts`} className="text-ink-2 hover:text-ink underline">
              {alerting.length === 1
                ? 'Alerts'
                : `All ${alerting.length.toLocaleString('en')} alerts`}
            </Link>
          }
        >
          <ul aria-label="Alerting now">
            {alerting.slice(0, maxShown).map((alert) => (
              <AlertCard key={`${alert.kind} ${alert.series}`} project={project} alert={alert} />
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
