'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Trial, TrialHead } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { ProgressBar, ratioOf } from '@/app/_ui/progress-bar';
import { FieldError } from '@/app/_ui/field';
import { Age } from '@/app/_ui/moment';
import { Skeleton } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../traces/amounts';
import { TrialAgreement } from './trial-agreement';
import { TrialRows } from './trial-rows';
import { isActive, optionNames, plural, stateText } from './trial-words';

interface TrialViewProps {
  project: string;
  slug: string;
  id: string;
  /** The state of the trial in the list of trials. */
  listed: TrialHead['state'];
  mayWrite: boolean;
  onEnded: () => void;
}

/** One trial: its progress, its cost, how often each version is right, and where they differ. */
export function TrialView({ project, slug, id, listed, mayWrite, onEnded }: TrialViewProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.prompts.trial.queryOptions({ project, slug, id }));
  const cancel = useMutation(
    trpc.jobs.cancel.mutationOptions({
      onSuccess: () => {
        announce('Trial cancelled');
        void refetch();
      },
    }),
  );
  const latest = useRef(onEnded);
  useEffect(() => {
    latest.current = onEnded;
  });
  const state = data?.state;
  useEffect(() => {
    // The list of trials shows each trial's state, so it is reloaded when this one has changed.
    if (state !== undefined && state !== listed) latest.current();
  }, [state, listed]);
  if (error) {
    return (
      <div className="p-4">
        <FieldError text={problemOf(error).message} />
      </div>
    );
  }
  if (data === undefined) return <Skeleton className="m-4 h-24" />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)]">
      <div className="grid gap-2 px-4 py-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-ink-2 [overflow-wrap:anywhere]">
            {comparedText(data)} By <VisibleText text={data.createdBy} />,{' '}
            <Age at={data.createdAt} /> ago
          </p>
          {mayWrite && isActive(data) ? (
            <Button
              aria-label="Cancel the trial"
              busy={cancel.isPending}
              onClick={() => cancel.mutate({ project, id })}
            >
              Cancel
            </Button>
          ) : null}
        </div>
        <Progress trial={data} />
        <FieldError text={cancel.error ? problemOf(cancel.error).message : null} />
      </div>
      {data.done === 0 ? null : (
        <>
          <TrialAgreement trial={data} />
          <TrialRows project={project} trial={data} />
        </>
      )}
    </div>
  );
}

function Progress({ trial }: { trial: Trial }) {
  const { done, total, state, reason, calls, reused } = trial;
  return (
    <>
      <ProgressBar label="Trial" ratio={ratioOf(done, total)} />
      <p className="text-12 text-ink-2 [overflow-wrap:anywhere]">
        {stateText[state]}: {done.toLocaleString('en')} of {total.toLocaleString('en')} judged.{' '}
        {plural(calls, 'call')}, {spentText(trial)}
        {reused === 0
          ? ''
          : `; ${plural(reused, 'verdict')} of the other option ${reused === 1 ? 'was' : 'were'} stored already`}
        .
        {reason === null ? null : (
          <>
            {' '}
            <VisibleText text={reason} />
          </>
        )}
      </p>
    </>
  );
}

/** The compared options, and the labels used. */
function comparedText(trial: Trial): string {
  const { candidate, other } = optionNames(trial);
  const labels = trial.heldOut ? 'held-out labels' : 'all labels';
  return other === null
    ? `${candidate}, on ${labels}.`
    : `${candidate} against ${other.slice(0, 1).toLowerCase()}${other.slice(1)}, on ${labels}.`;
}

function spentText({ costUsd, unpriced, estimateUsd }: Trial): string {
  const spent =
    unpriced > 0
      ? `${costText(costUsd)} or more: the price of a judge is not listed`
      : costText(costUsd);
  return estimateUsd === null ? spent : `${spent} of at most ${costText(estimateUsd)}`;
}
