'use client';

import { useState } from 'react';
import type { ThresholdChange } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError } from '@/app/_ui/field';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { changeSince, type PlannedChange, type Scope } from './threshold-values';
import { conflictText, scopeText } from './threshold-words';
import { type Applied, useApply } from './use-apply';

interface ApplyDialogProps {
  project: string;
  verifier: string;
  scope: Scope;
  planned: readonly PlannedChange[];
  /** Changes of the verifier; refetched after a conflict, they show who changed the value first. */
  changes: readonly ThresholdChange[];
  who: string;
  onApplied: (applied: Applied) => void;
  onConflict: () => void;
  onClose: () => void;
}

/**
 * Asks for a reason before the values are applied; another user's concurrent change is never
 * overwritten.
 */
export function ApplyDialog({
  project,
  verifier,
  scope,
  planned: latest,
  changes,
  who,
  onApplied,
  onConflict,
  onClose,
}: ApplyDialogProps) {
  // Confirms the values shown when the dialog opened, even if new data arrives in the meantime.
  const [planned] = useState(latest);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState<string | null>(null);
  const { apply, isPending, isConflict, error } = useApply({
    project,
    verifier,
    scope,
    planned,
    onConflict,
    onApplied: (applied) => {
      onApplied(applied);
      onClose();
    },
  });
  const message = error === null ? null : problemOf(error).message;
  const submit = () => {
    if (reason.trim() === '')
      return setMissing('A reason is required: the history and the audit log show it.');
    apply(reason.trim());
  };
  return (
    <Dialog
      title={
        planned.length === 1 ? `Apply ${planned[0]?.key ?? ''}` : `Apply ${planned.length} changes`
      }
      onClose={onClose}
    >
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="grid gap-1">
          <p className="[overflow-wrap:anywhere]">
            For <VisibleText text={scopeText(scope)} />, as {who}:
          </p>
          <ul aria-label="Changes" className="grid gap-1">
            {planned.map(({ key, before, value }) => (
              <li key={key}>
                <code className="text-12 font-mono">{key}</code> {plainNumber(before)} to{' '}
                <strong className="font-semibold">{plainNumber(value)}</strong>
              </li>
            ))}
          </ul>
        </div>
        <p className="text-ink-2">
          The change applies to new verdicts; stored verdicts do not change. You can undo it.
        </p>
        <Field
          label="Reason"
          hint="Recorded in the history and the audit log."
          maxLength={1000}
          autoComplete="off"
          value={reason}
          error={missing}
          onChange={(event) => {
            setMissing(null);
            setReason(event.target.value);
          }}
        />
        <FieldError
          text={
            message !== null && isConflict
              ? plainText(
                  conflictText(
                    message,
                    planned.flatMap((each) => changeSince(each, scope, changes) ?? []),
                  ),
                )
              : message
          }
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{isConflict ? 'Review again' : 'Cancel'}</Button>
          {isConflict ? null : (
            <Button type="submit" variant="primary" busy={isPending}>
              {planned.length === 1 ? 'Apply change' : `Apply ${planned.length} changes`}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
