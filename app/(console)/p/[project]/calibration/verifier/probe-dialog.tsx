'use client';

import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field } from '@/app/_ui/field';
import { type Probe, probeLimits } from '@/server/experiments/input';
import { probeMeaning, probeName, probePlanSentences } from './probe-words';

interface ProbeDialogProps {
  project: string;
  verifier: string;
  probe: Probe;
  onStarted: () => void;
  onClose: () => void;
}

const { items: maxItems, repeats: maxRepeats } = probeLimits;

/** Shows the probe's size and highest cost first; no model is called before that. */
export function ProbeDialog({ project, verifier, probe, onStarted, onClose }: ProbeDialogProps) {
  const trpc = useTRPC();
  const [itemsText, setItems] = useState('20');
  const [repeatsText, setRepeats] = useState(probe === 'repeatability' ? '5' : '1');
  const [budgetText, setBudget] = useState('');
  const hasItems = probe !== 'canaries' && probe !== 'self_preference';
  const hasRepeats = probe === 'repeatability' || probe === 'canaries';
  const min = probe === 'repeatability' ? 2 : 1;
  const items = wholeNumber(itemsText, 1, maxItems);
  const repeats = wholeNumber(repeatsText, min, maxRepeats);
  const budget = budgetText.trim() === '' ? null : amount(budgetText);
  const isPlannable = items !== null && repeats !== null && budget !== undefined;
  const input = {
    project,
    verifier,
    probe,
    items: items ?? 1,
    repeats: repeats ?? min,
    budget_usd: budget ?? null,
  };
  const plan = useQuery(
    trpc.probes.plan.queryOptions(input, {
      enabled: isPlannable,
      staleTime: 0,
      gcTime: 0,
      placeholderData: keepPreviousData,
    }),
  );
  const start = useMutation(
    trpc.probes.start.mutationOptions({
      onSuccess: () => {
        announce('Probe started');
        onStarted();
        onClose();
      },
    }),
  );
  const planned = isPlannable && !plan.isPlaceholderData ? plan.data : undefined;
  const isRefused = planned !== undefined && planned.refusal !== null;
  return (
    <FormDialog
      title={`${probeName[probe]} of ${verifier}`}
      onClose={onClose}
      action="Run the probe"
      busy={start.isPending}
      disabled={planned === undefined || isRefused}
      problem={
        plan.error
          ? problemOf(plan.error).message
          : isRefused
            ? `The probe cannot run: ${planned.refusal}.`
            : start.error
              ? problemOf(start.error).message
              : null
      }
      onSubmit={() => {
        if (planned !== undefined && !isRefused) start.mutate(input);
      }}
    >
      <p className="text-ink-2">{probeMeaning[probe]}</p>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        {hasItems ? (
          <Field
            label="Maximum subjects"
            type="number"
            inputMode="numeric"
            min={1}
            max={maxItems}
            value={itemsText}
            hint="Labelled ones first, then the latest."
            error={items === null ? `1 to ${maxItems}` : null}
            onChange={(event) => setItems(event.target.value)}
          />
        ) : null}
        {hasRepeats ? (
          <Field
            label="Repetitions"
            type="number"
            inputMode="numeric"
            min={min}
            max={maxRepeats}
            value={repeatsText}
            error={repeats === null ? `${min} to ${maxRepeats}` : null}
            onChange={(event) => setRepeats(event.target.value)}
          />
        ) : null}
        {probe === 'self_preference' ? null : (
          <Field
            label="Budget, US dollars"
            inputMode="decimal"
            value={budgetText}
            hint="Empty: the estimated cost."
            error={budget === undefined ? 'An amount from 0, such as 0.50' : null}
            onChange={(event) => setBudget(event.target.value)}
          />
        )}
      </div>
      <div role="status" aria-label="Estimate of the probe" className="text-ink-2 min-h-15">
        {planned === undefined ? (
          isPlannable && !plan.error ? (
            'Choosing subjects…'
          ) : null
        ) : planned.items === 0 && probe !== 'self_preference' ? null : (
          <p>{probePlanSentences(planned).join(' ')}</p>
        )}
      </div>
    </FormDialog>
  );
}

function wholeNumber(text: string, min: number, max: number): number | null {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : null;
}

/** Undefined when the text is not an amount. */
function amount(text: string): number | undefined {
  const value = Number(text.trim().replace(',', '.'));
  return Number.isFinite(value) && value >= 0 && value <= 1_000_000 ? value : undefined;
}
