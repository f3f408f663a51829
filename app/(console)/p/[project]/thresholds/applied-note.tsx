'use client';

import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { VisibleText } from '@/app/_ui/visible-text';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { undoOrder } from './desk-values';
import { scopeText } from './desk-words';
import type { Applied } from './use-apply';

interface AppliedNoteProps {
  project: string;
  verifier: string;
  applied: Applied;
  onUndone: () => void;
  onClose: () => void;
}

/** What was just applied, with the way back; it has the focus, since the button that led here is gone. */
export function AppliedNote({ project, verifier, applied, onUndone, onClose }: AppliedNoteProps) {
  const { scope, changes } = applied;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), [applied]);
  const { mutateAsync } = useMutation(useTRPC().thresholds.undo.mutationOptions());
  // One after the other: what passes and what fails must not cross on the way back.
  const undo = useMutation({
    mutationFn: async () => {
      for (const { key, version } of undoOrder(changes)) {
        await mutateAsync({ project, verifier, key, missionId: scope.missionId, taskId: scope.taskId, version, reason: null });
      }
    },
    onSuccess: () => {
      announce('Undone');
      onClose();
    },
    onSettled: onUndone,
  });
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-label="Applied"
      className="bg-accent-wash border-accent rounded-4 flex flex-wrap items-center gap-x-4 gap-y-2 border px-4 py-2"
    >
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {changes.map(({ key, value }) => `${key} is ${plainNumber(value)}`).join(', ')} from now on, for{' '}
        <VisibleText text={scopeText(scope)} />.
      </p>
      <span className="flex gap-2">
        <Button busy={undo.isPending} onClick={() => undo.mutate()}>
          Undo
        </Button>
        <Button look="quiet" onClick={onClose}>
          Keep
        </Button>
      </span>
      <FieldError text={undo.error ? problemOf(undo.error).message : null} />
    </div>
  );
}
