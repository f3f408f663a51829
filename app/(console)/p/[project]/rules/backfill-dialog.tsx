'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Rule } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError } from '@/app/_ui/field';

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
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
  const range = {
    ...(from !== '' && { from: startOf(from) }),
    // The last day is included.
    ...(to !== '' && { to: new Date(startOf(to).getTime() + dayMs) }),
  };
  return (
    <Dialog title={`Backfill ${rule.name}`} onClose={onClose}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          backfill.mutate({ project, name: rule.name, ...range });
        }}
      >
        <p className="text-ink-2">
          The rule decides the stored turns that it has not decided yet, and those that an earlier
          version skipped. Matching turns are sent to {rule.verifier} as if they had just arrived.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            label="From day, UTC"
            hint="Empty: from the first turn."
            type="date"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <Field
            label="To day, UTC"
            hint="Empty: until now."
            type="date"
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <FieldError text={backfill.error ? problemOf(backfill.error).message : null} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={backfill.isPending}>
            Start backfill
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
