'use client';

import { FormDialog } from '@/app/_ui/form-dialog';
import { readDay } from '@/app/_ui/day-words';
import { DayField } from '@/app/_ui/day-field';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Rule } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const dayFault = (day: string): string | undefined =>
  day === '' || readDay(day) !== null ? undefined : 'A day as YYYY-MM-DD.';
const dayMs = 24 * 60 * 60 * 1000;

export function BackfillDialog({
  project,
  rule,
  onClose,
}: {
  project: string;
  rule: Rule;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const backfill = useMutation(
    trpc.rules.backfill.mutationOptions({
      onSuccess: () => {
        announce('Backfill started');
        void client.invalidateQueries({ queryKey: trpc.jobs.list.queryKey() });
        onClose();
      },
    }),
  );
  const errors = { from: dayFault(from), to: dayFault(to) };
  const range = {
    ...(from !== '' && { from: startOf(from) }),
    // The last day is included.
    ...(to !== '' && { to: new Date(startOf(to).getTime() + dayMs) }),
  };
  return (
    <FormDialog
      title={`Backfill ${rule.name}`}
      onClose={onClose}
      action="Start backfill"
      busy={backfill.isPending}
      problem={backfill.error ? problemOf(backfill.error).message : null}
      onSubmit={() => {
        if (errors.from !== undefined || errors.to !== undefined) return;
        backfill.mutate({ project, name: rule.name, ...range });
      }}
    >
      <p className="text-ink-2">
        The rule decides the stored turns that it has not decided yet, and those that an earlier
        version skipped. Matching turns are sent to {rule.verifier} as if they had just arrived.
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <DayField
          label="From day, UTC"
          hint="Empty: from the first turn."
          value={from}
          error={errors.from}
          onChange={setFrom}
        />
        <DayField
          label="To day, UTC"
          hint="Empty: until now."
          value={to}
          error={errors.to}
          onChange={setTo}
        />
      </div>
    </FormDialog>
  );
}
