'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Alert } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Age } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { AlertMark } from './alert-mark';
import { AlertTitle } from './alert-title';
import { alertName, limitText, severityWords, stateWord } from './alert-words';
import { filterQuery } from './filters';

interface AlertCardProps {
  project: string;
  alert: Alert;
  /** Whether the user may acknowledge it here. */
  mayAcknowledge?: boolean;
  /** The alert's last days, shown below if there is room. */
  children?: ReactNode;
}

/** One alert that needs attention: its value, its limit, its start, and the advice. */
export function AlertCard({ project, alert, mayAcknowledge = false, children }: AlertCardProps) {
  const { kind, state, severity, message, advice, since, limit } = alert;
  const facts = [`${severityWords[severity]} severity`, limitText(kind, limit)].filter(
    (text) => text !== null,
  );
  return (
    <li
      aria-label={alertName(alert)}
      className="border-line grid gap-2 border-b px-4 py-3 last:border-0"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <AlertMark state={state} word={stateWord(alert)} />
        <strong className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          <AlertTitle alert={alert} />
        </strong>
        <span className="text-12 text-ink-3">{facts.join(', ')}</span>
        <span className="text-12 text-ink-3 whitespace-nowrap md:ml-auto">
          for <Age at={since} />
        </span>
      </div>
      <p className="max-w-[88ch] [overflow-wrap:anywhere]">
        <VisibleText text={message} />
      </p>
      {advice === null ? null : (
        <p className="text-ink-2 max-w-[88ch]">
          <span className="font-semibold">To do:</span> <VisibleText text={advice} />
        </p>
      )}
      {children}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <AlertLinks project={project} alert={alert} />
        <Acknowledgement project={project} alert={alert} mayAcknowledge={mayAcknowledge} />
      </div>
    </li>
  );
}

/** The person who acknowledged it, or the button to do so. */
export function Acknowledgement({
  project,
  alert,
  mayAcknowledge = false,
}: Omit<AlertCardProps, 'children'>) {
  const { acknowledged, findingId } = alert;
  const trpc = useTRPC();
  const client = useQueryClient();
  const acknowledge = useMutation(
    trpc.alerts.acknowledge.mutationOptions({
      onSuccess: () => {
        announce('Acknowledged');
        void client.invalidateQueries({ queryKey: trpc.alerts.pathKey() });
      },
    }),
  );
  if (acknowledged !== null) {
    const { by, at, reason } = acknowledged;
    return (
      <span className="text-12 text-ink-3 [overflow-wrap:anywhere] md:ml-auto">
        Acknowledged by <VisibleText text={by} />, <Age at={at} /> ago
        {reason === null ? null : (
          <>
            : <VisibleText text={reason} />
          </>
        )}
      </span>
    );
  }
  if (!mayAcknowledge || findingId === null) return null;
  return (
    <span className="flex items-center gap-3 md:ml-auto">
      <FieldError text={acknowledge.error ? problemOf(acknowledge.error).message : null} />
      <Button
        busy={acknowledge.isPending}
        aria-label={`Acknowledge ${alertName(alert)}`}
        title="Stops repeat notifications"
        onClick={() => acknowledge.mutate({ project, id: findingId })}
      >
        Acknowledge
      </Button>
    </span>
  );
}

/** Links to the rows behind it, and to its history. */
export function AlertLinks({ project, alert }: { project: string; alert: Alert }) {
  const { kind, series, href } = alert;
  const name = alertName(alert);
  return (
    <span className="flex gap-x-4 whitespace-nowrap">
      {href === null ? null : (
        <Link
          href={`/p/${project}${href}`}
          prefetch={false}
          aria-label={`See the data of ${name}`}
          className="underline"
        >
          See the data
        </Link>
      )}
      <Link
        href={`/p/${project}/alerts${filterQuery({ kind, series })}#history`}
        prefetch={false}
        aria-label={`History of ${name}`}
        className="text-ink-2 hover:text-ink underline"
      >
        History
      </Link>
    </span>
  );
}
