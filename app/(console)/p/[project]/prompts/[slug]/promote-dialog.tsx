'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { PromotionCheck, PromptDetail } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError } from '@/app/_ui/field';
import { Skeleton } from '@/app/_ui/panel';
import { textName } from './text-name';
import { GateView } from './gate-view';
import { sentenceCase } from './trial-words';

interface PromoteDialogProps {
  project: string;
  prompt: PromptDetail;
  version: number;
  /** Whether this is the version that ran before the current one. */
  isBack: boolean;
  onDone: () => void;
  onClose: () => void;
}

/** Moves the label of a prompt of an application, to which no gate applies. */
export function ReleaseDialog({
  project,
  prompt,
  version,
  onDone,
  onClose,
}: Omit<PromoteDialogProps, 'isBack'>) {
  const trpc = useTRPC();
  const move = useMutation(
    trpc.prompts.moveLabel.mutationOptions({
      onSuccess: () => {
        announce(`${sentenceCase(textName(version))} is in production`);
        onDone();
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={`Promote ${textName(version)}`}
      onClose={onClose}
      action="Promote"
      busy={move.isPending}
      problem={problemText(move.error)}
      onSubmit={() => move.mutate({ project, slug: prompt.slug, label: 'production', version })}
    >
      <p className="text-ink-2 max-w-[80ch]">
        Applications and experiments that read the version in production receive {textName(version)}{' '}
        in place of {textName(prompt.production.version)}. Experiments in progress keep their
        version.
      </p>
    </FormDialog>
  );
}

/**
 * Shows whose verdicts change and whose do not, and the gate's finding, before anything is changed.
 */
export function PromoteDialog({
  project,
  prompt,
  version,
  isBack,
  onDone,
  onClose,
}: PromoteDialogProps) {
  const trpc = useTRPC();
  const { slug } = prompt;
  const running = prompt.fellBack === null ? prompt.production.version : prompt.base;
  const [reason, setReason] = useState('');
  const [isForced, setForced] = useState(false);
  const check = useQuery(
    trpc.promotions.check.queryOptions({ project, slug, version }, { staleTime: 0, gcTime: 0 }),
  );
  const move = useMutation(
    trpc.prompts.moveLabel.mutationOptions({
      onSuccess: (promotion) => {
        const waits = promotion?.state === 'waiting';
        announce(
          waits
            ? `${sentenceCase(textName(version))} waits for another person`
            : `${prompt.title} now runs with ${textName(version)}`,
        );
        onDone();
        onClose();
      },
      onError: () => onDone(),
    }),
  );
  const refused = check.data?.outcome === 'refused';
  const mayForce = refused && check.data?.mode === 'advise';
  const promote = () =>
    move.mutate({
      project,
      slug,
      label: 'production',
      version,
      ...(reason.trim() !== '' && { reason }),
      ...(isForced && { force: true }),
    });
  return (
    <Dialog
      title={isBack ? `Roll back to ${textName(version)}` : `Promote ${textName(version)}`}
      onClose={onClose}
      wide={!isBack}
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          promote();
        }}
      >
        <p className="text-ink-2 max-w-[80ch]">
          Every new judge call uses {textName(version)} in place of {textName(running)}. Runs in
          progress keep their version, stored verdicts do not change, and you can roll back at any
          time.
        </p>
        {isBack ? (
          <p>
            This is the previous version: the rollback is recorded, and the gate does not apply.
          </p>
        ) : check.data === undefined ? (
          check.error ? null : (
            <Skeleton className="h-24" />
          )
        ) : (
          <>
            <GateView
              findings={check.data.findings}
              trials={check.data.trials}
              names={{
                candidate: sentenceCase(textName(version)),
                other: `${sentenceCase(textName(running))}, runs now`,
              }}
            />
            <p role="status" aria-label="Gate result" className="font-semibold">
              {outcomeText(check.data)}
            </p>
            {mayForce ? <ForceField isForced={isForced} onChange={setForced} /> : null}
            {refused && !mayForce ? null : (
              <Field
                label={isForced ? 'Reason for the override' : 'Reason (optional)'}
                value={reason}
                maxLength={1000}
                autoComplete="off"
                required={isForced}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </>
        )}
        <FieldError text={problemText(move.error ?? check.error)} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          {refused && !isForced ? null : (
            <Button
              type="submit"
              variant={isForced ? 'danger' : 'primary'}
              busy={move.isPending}
              disabled={check.data === undefined && !isBack}
            >
              {isBack
                ? 'Roll back'
                : check.data?.outcome === 'waiting'
                  ? 'Ask for approval'
                  : 'Promote'}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

const problemText = (error: unknown): string | null => (error ? problemOf(error).message : null);

export function ForceField({
  isForced,
  onChange,
}: {
  isForced: boolean;
  onChange: (isForced: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <input
        id={id}
        type="checkbox"
        checked={isForced}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>Override the gate; your name and your reason are recorded</label>
    </div>
  );
}

/** The consequence of a request. */
export function outcomeText({ outcome, mode, findings }: PromotionCheck): string {
  if (outcome === 'rolled_back')
    return 'This is the previous version: the gate does not apply to rollbacks.';
  if (outcome === 'runs_now') return 'It is now in use.';
  if (outcome === 'waiting') return 'The gate permits it, and another person must approve.';
  if (outcome === 'promoted') {
    return findings.verdict === 'better' || findings.verdict === 'not_worse'
      ? 'The gate permits it.'
      : 'The gate does not block it.';
  }
  if (mode === 'advise' || findings.verdict === 'worse')
    return 'The gate refuses it: it is worse than the current option.';
  return 'The gate refuses it: this project requires a trial on held-out labels that it did not lose.';
}
