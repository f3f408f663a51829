'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Experiment } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { isActive } from '../experiment-words';
import { ResumeDialog } from './resume-dialog';

interface RunActionsProps {
  project: string;
  experiment: Experiment;
  onChange: () => void;
}

/** Cancels a running experiment, or resumes one that left rows without an output. */
export function RunActions({ project, experiment, onChange }: RunActionsProps) {
  const trpc = useTRPC();
  const [open, setOpen] = useState<'cancel' | 'resume' | null>(null);
  const cancel = useMutation(
    trpc.experiments.cancel.mutationOptions({
      onSuccess: () => {
        announce('Experiment cancelled');
        setOpen(null);
        onChange();
      },
    }),
  );
  const { id, state, counts, target } = experiment;
  const isComplete = counts.answered === counts.rows && counts.verdicts >= counts.verdictsExpected;
  if (isActive(state))
    return (
      <>
        <Button onClick={() => setOpen('cancel')}>Cancel</Button>
        {open === 'cancel' ? (
          <Confirm
            title="Cancel the experiment"
            action="Cancel experiment"
            busy={cancel.isPending}
            error={cancel.error ? problemOf(cancel.error).message : null}
            onConfirm={() => cancel.mutate({ project, id })}
            onClose={() => setOpen(null)}
          >
            <p>No further call is made. Outputs and verdicts stay, and you can resume it.</p>
          </Confirm>
        ) : null}
      </>
    );
  if (isComplete || target.type === 'outputs') return null;
  return (
    <>
      <Button onClick={() => setOpen('resume')}>Resume</Button>
      {open === 'resume' ? (
        <ResumeDialog
          project={project}
          experiment={experiment}
          onResumed={onChange}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  );
}
