'use client';

import { FormDialog } from '@/app/_ui/form-dialog';
import { useLocale } from '@/app/_ui/use-locale';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ReportSchedule } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Field, SelectField } from '@/app/_ui/field';
import { plainText } from '@/app/_ui/visible-text';
import { reportLimits } from '@/server/reports/input';
import { momentText, offered, weekly } from '../schedule-words';
import { CheckField } from './check-field';

interface ScheduleDialogProps {
  project: string;
  takers: number;
  /** Null for a new schedule. */
  schedule: ReportSchedule | null;
  onStored: () => void;
  onClose: () => void;
}

/** A schedule's timing, contents and destinations; its next runs are shown before it is saved. */
export function ScheduleDialog({
  project,
  takers,
  schedule,
  onStored,
  onClose,
}: ScheduleDialogProps) {
  const trpc = useTRPC();
  const locale = useLocale();
  const [name, setName] = useState(schedule?.name ?? weekly.name);
  const [cron, setCron] = useState(schedule?.cron ?? weekly.cron);
  const [isWritten, setWritten] = useState(
    schedule !== null && offered.every((each) => each.cron !== schedule.cron),
  );
  const [zone, setZone] = useState(
    () => schedule?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [days, setDays] = useState(String(schedule?.days ?? weekly.days));
  const [enabled, setEnabled] = useState(schedule?.enabled ?? true);
  const [sent, setSent] = useState(schedule?.sent ?? true);
  const count = /^\d{1,4}$/.test(days.trim()) ? Number(days) : Number.NaN;
  const isCounted = count >= 1 && count <= reportLimits.days;
  const isTimed = cron.trim() !== '' && zone.trim() !== '';
  const preview = useQuery(
    trpc.reports.preview.queryOptions(
      { project, cron: cron.trim(), zone: zone.trim() },
      {
        enabled: isTimed,
        retry: false,
        staleTime: 0,
        gcTime: 0,
        placeholderData: keepPreviousData,
      },
    ),
  );
  const put = useMutation(
    trpc.reports.putSchedule.mutationOptions({
      onSuccess: () => {
        announce('Schedule saved');
        onStored();
        onClose();
      },
    }),
  );
  const problem = put.error ? problemOf(put.error) : null;
  const timing = preview.error ? problemOf(preview.error) : null;
  const fields = { ...timing?.fields, ...problem?.fields };
  const isAtField = ['name', 'cron', 'zone', 'days'].some(
    (field) => problem?.fields[field] !== undefined,
  );
  const isPreviewed = preview.data !== undefined && timing === null && !preview.isPlaceholderData;
  return (
    <FormDialog
      title={schedule === null ? 'Create report schedule' : `Change ${plainText(schedule.name)}`}
      onClose={onClose}
      action={schedule === null ? 'Create schedule' : 'Save schedule'}
      busy={put.isPending}
      disabled={!isCounted || !isTimed || name.trim() === ''}
      problem={
        isAtField
          ? null
          : (problem?.message ??
            (timing !== null && Object.keys(timing.fields).length === 0 ? timing.message : null))
      }
      onSubmit={() => {
        if (!isCounted || !isTimed || name.trim() === '') return;
        put.mutate({
          project,
          ...(schedule !== null && { id: schedule.id }),
          name: name.trim(),
          cron: cron.trim(),
          zone: zone.trim(),
          days: count,
          enabled,
          sent,
        });
      }}
    >
      <Field
        label="Name"
        value={name}
        maxLength={reportLimits.nameChars}
        autoComplete="off"
        error={fields.name}
        onChange={(event) => setName(event.target.value)}
      />
      <WhenFields
        {...{ cron, isWritten, zone, fields }}
        onCron={setCron}
        onWritten={setWritten}
        onZone={setZone}
      />
      <div role="status" aria-label="Next runs" className="text-ink-2 min-h-15">
        {isPreviewed ? (
          <>
            <p>Next runs in the time zone {zone.trim()}:</p>
            <ul className="list-disc pl-5">
              {preview.data.next.map((at) => (
                <li key={at.toISOString()}>{momentText(at, zone.trim(), locale)}</li>
              ))}
            </ul>
          </>
        ) : isTimed && timing === null ? (
          'Loading the next runs…'
        ) : null}
      </div>
      <Field
        label="Period, days"
        type="number"
        inputMode="numeric"
        min={1}
        max={reportLimits.days}
        value={days}
        hint="Whole days in UTC before the day of the report."
        error={isCounted ? fields.days : `1 to ${reportLimits.days}`}
        onChange={(event) => setDays(event.target.value)}
      />
      <div className="grid gap-2">
        <CheckField label="Switched on" checked={enabled} onChange={setEnabled} />
        <CheckField
          label="Send it to destinations for reports"
          hint={takers === 0 ? 'No destination yet: add one under Destinations.' : undefined}
          checked={sent}
          onChange={setSent}
        />
      </div>
    </FormDialog>
  );
}

const written = 'written';

interface WhenFieldsProps {
  cron: string;
  isWritten: boolean;
  zone: string;
  fields: Readonly<Record<string, string>>;
  onCron: (cron: string) => void;
  onWritten: (isWritten: boolean) => void;
  onZone: (zone: string) => void;
}

function WhenFields({ cron, isWritten, zone, fields, onCron, onWritten, onZone }: WhenFieldsProps) {
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <SelectField
        label="When"
        value={isWritten ? written : cron}
        options={[
          ...offered.map((each) => [each.cron, each.name] as const),
          [written, 'Custom schedule'],
        ]}
        onChange={(value) => {
          onWritten(value === written);
          if (value !== written) onCron(value);
        }}
      />
      <Field
        label="Time zone"
        value={zone}
        hint="Such as Europe/Berlin."
        error={fields.zone}
        onChange={(event) => onZone(event.target.value)}
      />
      {isWritten ? (
        <Field
          label="Cron"
          mono
          value={cron}
          hint="Minute, hour, day of month, month, day of week."
          error={fields.cron}
          onChange={(event) => onCron(event.target.value)}
        />
      ) : null}
    </div>
  );
}
