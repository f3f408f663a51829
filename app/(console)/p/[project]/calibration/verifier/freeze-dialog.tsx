'use client';

import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field, SelectField } from '@/app/_ui/field';
import { anchorLimits } from '@/server/experiments/input';
import { planSentences, schedules } from './anchor-words';

interface FreezeDialogProps {
  project: string;
  verifier: string;
  onFrozen: () => void;
  onClose: () => void;
}

const written = 'written';
const { minItems, items: maxItems, nameChars } = anchorLimits;

/**
 * Shows the size of the set and the cost of judging it first; nothing is frozen or judged before
 * that.
 */
export function FreezeDialog({ project, verifier, onFrozen, onClose }: FreezeDialogProps) {
  const trpc = useTRPC();
  const [name, setName] = useState('');
  const [count, setCount] = useState('50');
  const [seedText, setSeed] = useState('1');
  const [schedule, setSchedule] = useState<string>('');
  const [cron, setCron] = useState('0 6 * * 1');
  const [zone, setZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const items = wholeNumber(count, minItems, maxItems);
  const seed = wholeNumber(seedText, 0, 1_000_000_000);
  const isDrawable = items !== null && seed !== null;
  const plan = useQuery(
    trpc.calibration.planAnchors.queryOptions(
      { project, verifier, items: items ?? minItems, seed: seed ?? 1 },
      { enabled: isDrawable, staleTime: 0, gcTime: 0, placeholderData: keepPreviousData },
    ),
  );
  const freeze = useMutation(
    trpc.calibration.freezeAnchors.mutationOptions({
      onSuccess: () => {
        announce('Set frozen');
        onFrozen();
        onClose();
      },
    }),
  );
  const planned = isDrawable && !plan.isPlaceholderData ? plan.data : undefined;
  const problem = freeze.error ? problemOf(freeze.error) : null;
  const isRefused = planned !== undefined && planned.refusal !== null;
  const scheduled = schedule !== '';
  const isAtField =
    problem !== null &&
    ['name', 'cron', 'zone'].some((field) => problem.fields[field] !== undefined);
  return (
    <FormDialog
      title={`Freeze an anchor set of ${verifier}`}
      onClose={onClose}
      action="Freeze set"
      busy={freeze.isPending}
      disabled={planned === undefined || isRefused || name.trim() === ''}
      problem={
        plan.error
          ? problemOf(plan.error).message
          : isRefused
            ? `The set cannot be frozen: ${planned.refusal}.`
            : isAtField
              ? null
              : (problem?.message ?? null)
      }
      onSubmit={() => {
        if (!isDrawable || planned === undefined || isRefused || name.trim() === '') return;
        const when = schedule === '' ? null : schedule === written ? cron.trim() : schedule;
        freeze.mutate({
          project,
          verifier,
          name: name.trim(),
          items,
          seed,
          cron: when,
          zone: scheduled ? zone.trim() : 'UTC',
        });
      }}
    >
      <Field
        label="Name"
        value={name}
        maxLength={nameChars}
        autoComplete="off"
        hint="Such as “weekly” or “before the new judge”."
        error={problem?.fields.name}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Field
          label="Maximum subjects"
          type="number"
          inputMode="numeric"
          min={minItems}
          max={maxItems}
          value={count}
          error={items === null ? `${minItems} to ${maxItems}` : null}
          onChange={(event) => setCount(event.target.value)}
        />
        <Field
          label="Seed"
          type="number"
          inputMode="numeric"
          min={0}
          value={seedText}
          hint="Another seed draws other subjects."
          error={seed === null ? 'A whole number from 0' : null}
          onChange={(event) => setSeed(event.target.value)}
        />
      </div>
      <ScheduleFields
        {...{ schedule, cron, zone }}
        errors={problem?.fields ?? {}}
        onSchedule={setSchedule}
        onCron={setCron}
        onZone={setZone}
      />
      <div role="status" aria-label="Size and cost of the set" className="text-ink-2 min-h-15">
        {planned === undefined ? (
          isDrawable && !plan.error ? (
            'Drawing…'
          ) : null
        ) : (
          <p>{planSentences(planned).join(' ')}</p>
        )}
      </div>
    </FormDialog>
  );
}

interface ScheduleFieldsProps {
  schedule: string;
  cron: string;
  zone: string;
  errors: Readonly<Record<string, string>>;
  onSchedule: (schedule: string) => void;
  onCron: (cron: string) => void;
  onZone: (zone: string) => void;
}

function ScheduleFields({
  schedule,
  cron,
  zone,
  errors,
  onSchedule,
  onCron,
  onZone,
}: ScheduleFieldsProps) {
  return (
    <div className="grid gap-3">
      <SelectField
        label="Schedule"
        value={schedule}
        options={[
          ...schedules.map(({ name, cron }) => [cron ?? '', name] as const),
          [written, 'Custom schedule'],
        ]}
        onChange={onSchedule}
      />
      {schedule === '' ? null : (
        <div className="grid items-start gap-3 sm:grid-cols-2">
          {schedule === written ? (
            <Field
              label="Cron"
              mono
              value={cron}
              hint="Minute, hour, day of month, month, day of week."
              error={errors.cron}
              onChange={(event) => onCron(event.target.value)}
            />
          ) : null}
          <Field
            label="Time zone"
            value={zone}
            hint="Such as Europe/Berlin."
            error={errors.zone}
            onChange={(event) => onZone(event.target.value)}
          />
        </div>
      )}
    </div>
  );
}

function wholeNumber(text: string, min: number, max: number): number | null {
  const value = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}
