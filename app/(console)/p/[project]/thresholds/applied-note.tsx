'use client';

import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ThresholdChange } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { changeSince, undoOrder } from './threshold-values';
import { movedText, scopeText } from './threshold-words';
import type { Applied } from './use-apply';

interface AppliedNoteProps {
  project: string;
  verifier: string;
  applied: Applied;
  /** Changes of the verifier, as currently stored. */
  changes: readonly ThresholdChange[];
  onUndone: () => void;
  onClose: () => void;
}

/**
 * The values just applied, with an undo while they are current; it receives the focus, since the
 * pressed button no longer exists.
 */
export function AppliedNote({
  project,
  verifier,
  applied,
  changes: appliedChanges,
  onUndone,
  onClose,
}: AppliedNoteProps) {
  const { scope, changes } = applied;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), [applied]);
  const { mutateAsync } = useMutation(useTRPC().thresholds.undo.mutationOptions());
  // One at a time: the pass and fail thresholds must not cross during the undo.
  const undo = useMutation({
    mutationFn: async () => {
      for (const { key, version } of undoOrder(changes)) {
        await mutateAsync({
          project,
          verifier,
          key,
          missionId: scope.missionId,
          taskId: scope.taskId,
          version,
          reason: null,
        });
      }
    },
    onSuccess: () => {
      announce('Undone');
      onClose();
    },
    onSettled: onUndone,
  });
  // An undo in progress changes the keys itself, one at a time.
  const since = undo.isPending
    ? []
    : changes.flatMap((each) => changeSince(each, scope, appliedChanges) ?? []);
  const isCurrent = since.length === 0;
  useEffect(() => {
    // The focused button may have disappeared.
    if (!isCurrent && document.activeElement === document.body)
      ref.current?.focus({ preventScroll: true });
  }, [isCurrent]);
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-label="Applied"
      className="bg-accent-wash border-accent rounded-4 flex flex-wrap items-center gap-x-4 gap-y-2 border px-4 py-2"
    >
      <AppliedWords applied={applied} since={since} />
      <span className="flex gap-2">
        {isCurrent ? (
          <Button busy={undo.isPending} onClick={() => undo.mutate()}>
            Undo
          </Button>
        ) : null}
        <Button variant="quiet" onClick={onClose}>
          {isCurrent ? 'Keep' : 'Close'}
        </Button>
      </span>
      <FieldError text={isCurrent && undo.error ? problemOf(undo.error).message : null} />
    </div>
  );
}

interface AppliedWordsProps {
  applied: Applied;
  /** Later changes of the same values. */
  since: readonly ThresholdChange[];
}

/** Shows "from now on" only for thresholds that have not changed since. */
function AppliedWords({ applied: { scope, changes }, since }: AppliedWordsProps) {
  const currentChanges = changes.filter(({ key }) => since.every((each) => each.key !== key));
  return (
    <div className="grid min-w-0 gap-1 [overflow-wrap:anywhere]">
      {currentChanges.length === 0 ? null : (
        <p>
          {currentChanges.map(({ key, value }) => `${key} is ${plainNumber(value)}`).join(', ')}{' '}
          from now on, for <VisibleText text={scopeText(scope)} />.
        </p>
      )}
      {since.map((change) => (
        <p key={change.key}>
          <VisibleText text={movedText(change)} />, for <VisibleText text={scopeText(scope)} />,
          after you set it to{' '}
          {plainNumber(changes.find(({ key }) => key === change.key)?.value ?? 0)}:{' '}
          <Moment at={change.at} />.
        </p>
      ))}
      {since.length > 0 && currentChanges.length > 0 ? (
        <p>You can undo the other values under Changes.</p>
      ) : null}
    </div>
  );
}
