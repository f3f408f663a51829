'use client';

import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { VerdictDetail } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';

interface NextStepProps {
  project: string;
  verdict: VerdictDetail;
  onStored: () => void;
}

/** The actions in words, also used by the list of rulings. */
const steps = [
  ['retry', 'Send back'],
  ['escalate', 'Escalate'],
  ['accept_with_warning', 'Accept with warning'],
] as const;
type Step = (typeof steps)[number][0];

const stepWords: ReadonlyMap<string, string> = new Map([
  ['retry', 'sent back'],
  ['escalate', 'escalated'],
  ['accept_with_warning', 'accepted with a warning'],
]);

/** The action taken, as a word in a sentence. */
export const stepWord = (action: string): string => stepWords.get(action) ?? action;

/** The action on work that did not pass; it does not rule on the verifier (VS-28). */
export function NextStep({ project, verdict, onStored }: NextStepProps) {
  const id = useId();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState<string | null>(null);
  const decide = useMutation(
    useTRPC().labels.decide.mutationOptions({
      onSuccess: (_stored, { action }) => {
        setReason('');
        announce(`The work is ${stepWord(action)}`);
        onStored();
      },
    }),
  );
  const choose = (action: Step) => {
    const why = reason.trim();
    if (action === 'accept_with_warning' && why === '') {
      setMissing('Explain why you accept it although it did not pass.');
      document.getElementById(id)?.focus();
      return;
    }
    decide.mutate({ project, id: verdict.id, action, ...(why === '' ? {} : { reason: why }) });
  };
  const shown = steps.filter(([action]) => action !== 'retry' || verdict.feedback !== null);
  return (
    <div
      role="group"
      aria-label="Action on the work"
      className="border-line grid gap-2 border-t pt-2"
    >
      <div className="grid gap-1">
        <label htmlFor={id} className="text-12 text-ink-2">
          Reason for action
        </label>
        <input
          id={id}
          value={reason}
          maxLength={10_000}
          aria-invalid={missing !== null ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => {
            setMissing(null);
            decide.reset();
            setReason(event.target.value);
          }}
          className="bg-surface text-ink rounded-4 text-13 border-line-strong aria-invalid:border-fail w-full min-w-0 border px-2 py-1"
        />
      </div>
      <FieldError
        id={`${id}-error`}
        text={missing ?? (decide.error ? problemOf(decide.error).message : null)}
      />
      <div className="flex flex-wrap items-center gap-2">
        {shown.map(([action, label]) => (
          <Button
            key={action}
            busy={decide.isPending && decide.variables.action === action}
            onClick={() => choose(action)}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}
