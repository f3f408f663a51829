'use client';

import { useLocale } from '@/app/_ui/use-locale';
import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ReportSchedule, ReportSchedules } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { Panel } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { daysText, momentText, whenText } from '../schedule-words';

interface SchedulePanelProps {
  project: string;
  data: ReportSchedules;
  mayWrite: boolean;
  onEdit: (schedule: ReportSchedule) => void;
  onChange: () => void;
}

/** The scheduled reports, each with its next three runs. */
export function SchedulePanel({
  project,
  data: { schedules, takers },
  mayWrite,
  onEdit,
  onChange,
}: SchedulePanelProps) {
  const trpc = useTRPC();
  const locale = useLocale();
  const [ending, setEnding] = useState<ReportSchedule | null>(null);
  const end = useMutation(
    trpc.reports.deleteSchedule.mutationOptions({
      onSuccess: () => {
        announce('Schedule deleted');
        setEnding(null);
        onChange();
      },
    }),
  );
  return (
    <Panel title="Schedules">
      <ul className="divide-line grid divide-y">
        {schedules.map((schedule) => (
          <li
            key={schedule.id}
            className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3"
          >
            <div className="grid min-w-0 gap-1">
              <h3 className="font-semibold [overflow-wrap:anywhere]">
                <VisibleText text={schedule.name} />
              </h3>
              <p className="text-ink-2 max-w-[80ch] [overflow-wrap:anywhere]">
                Of the {daysText(schedule.days)} before, {whenText(schedule)}.{' '}
                {schedule.enabled ? (
                  <SentTo
                    project={project}
                    sent={schedule.sent}
                    takers={takers}
                    mayWrite={mayWrite}
                  />
                ) : (
                  'Switched off.'
                )}
              </p>
              {schedule.next.length === 0 ? null : (
                <p className="text-12 text-ink-3">
                  Next:{' '}
                  {schedule.next.map((at) => momentText(at, schedule.zone, locale)).join('; ')}.
                </p>
              )}
            </div>
            {mayWrite ? (
              <div className="flex gap-2">
                <Button
                  aria-label={`Change ${plainText(schedule.name)}`}
                  onClick={() => onEdit(schedule)}
                >
                  Change
                </Button>
                <Button
                  variant="quiet"
                  aria-label={`Delete ${plainText(schedule.name)}`}
                  onClick={() => setEnding(schedule)}
                >
                  Delete
                </Button>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      {ending === null ? null : (
        <Confirm
          title={`Delete ${plainText(ending.name)}`}
          action="Delete schedule"
          busy={end.isPending}
          error={end.error ? problemOf(end.error).message : null}
          onConfirm={() => end.mutate({ project, id: ending.id })}
          onClose={() => setEnding(null)}
        >
          It creates no more reports. Its existing reports are kept.
        </Confirm>
      )}
    </Panel>
  );
}

function SentTo({
  project,
  sent,
  takers,
  mayWrite,
}: {
  project: string;
  sent: boolean;
  takers: number;
  mayWrite: boolean;
}) {
  if (!sent) return 'In the console only.';
  if (takers > 0)
    return `Sent to ${takers === 1 ? '1 destination' : `${takers.toLocaleString('en')} destinations`}.`;
  return (
    <>
      In the console only: no destination takes reports.
      {mayWrite ? (
        <>
          {' '}
          <Link href={`/p/${project}/settings/webhooks`} className="underline">
            Set one up
          </Link>
        </>
      ) : null}
    </>
  );
}
