'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Experiment } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError } from '@/app/_ui/field';
import { CheckField } from '../../reports/(list)/check-field';
import { plural } from '../experiment-words';

interface ResumeDialogProps {
  project: string;
  experiment: Experiment;
  onResumed: () => void;
  onClose: () => void;
}

export function ResumeDialog({ project, experiment, onResumed, onClose }: ResumeDialogProps) {
  const trpc = useTRPC();
  const { id, state, counts } = experiment;
  const unanswered = counts.failed + counts.lost;
  const [isRetrying, setRetrying] = useState(state === 'done');
  const [budget, setBudget] = useState('');
  const budgetUsd = budget.trim() === '' ? null : Number(budget);
  const isBudget = budgetUsd === null || (Number.isFinite(budgetUsd) && budgetUsd >= 0);
  const resume = useMutation(
    trpc.experiments.resume.mutationOptions({
      onSuccess: () => {
        announce('Experiment resumed');
        onResumed();
        onClose();
      },
    }),
  );
  const problem = resume.error ? problemOf(resume.error) : null;
  return (
    <Dialog title="Resume the experiment" onClose={onClose}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isBudget)
            resume.mutate({ project, id, retry_failed: isRetrying, budget_usd: budgetUsd });
        }}
      >
        <p className="text-ink-2">
          {plural(counts.waiting + counts.asked, 'row')} without an output, and missing verdicts,
          are completed.
        </p>
        {unanswered === 0 ? null : (
          <CheckField
            label={`Call the target again for ${plural(unanswered, 'failed or lost row')}`}
            hint="Lost calls may have been charged already."
            checked={isRetrying}
            onChange={setRetrying}
          />
        )}
        <Field
          label="Budget, US dollars"
          inputMode="decimal"
          autoComplete="off"
          value={budget}
          hint="For the whole experiment, including its cost so far. Empty keeps the current limit."
          error={isBudget ? problem?.fields.budget_usd : 'Enter an amount of 0 or more.'}
          onChange={(event) => setBudget(event.target.value)}
        />
        <FieldError
          text={
            problem !== null && problem.fields.budget_usd === undefined ? problem.message : null
          }
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={resume.isPending}>
            Resume
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
