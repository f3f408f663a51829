'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Experiment } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field } from '@/app/_ui/field';
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
    <FormDialog
      title="Resume the experiment"
      onClose={onClose}
      action="Resume"
      busy={resume.isPending}
      problem={problem !== null && problem.fields.budget_usd === undefined ? problem.message : null}
      onSubmit={() => {
        if (isBudget)
          resume.mutate({ project, id, retry_failed: isRetrying, budget_usd: budgetUsd });
      }}
    >
      <p className="text-ink-2">
        {plural(counts.waiting + counts.asked, 'row')} without an output, and missing verdicts, are
        completed.
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
    </FormDialog>
  );
}
