'use client';

import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import { announce } from '@/app/_ui/announcer';
import type { PlannedChange, Scope } from './threshold-values';

/** The changes applied together, to be reported and undone. */
export interface Applied {
  readonly scope: Scope;
  /** `version` is the created one. */
  readonly changes: readonly PlannedChange[];
}

interface ApplyIn {
  readonly project: string;
  readonly verifier: string;
  readonly scope: Scope;
  readonly planned: readonly PlannedChange[];
  readonly onApplied: (applied: Applied) => void;
  readonly onConflict: () => void;
}

/** All changes or none, each based on the version that the reader saw. */
export function useApply({ project, verifier, scope, planned, onApplied, onConflict }: ApplyIn) {
  const { mutate, ...apply } = useMutation(
    useTRPC().thresholds.putAll.mutationOptions({
      onSuccess: ({ applied }) => {
        announce(applied.length === 1 ? 'Threshold moved' : `${applied.length} thresholds moved`);
        const versionOf = new Map(applied.map(({ key, version }) => [key, version]));
        onApplied({
          scope,
          changes: planned.map((change) => ({
            ...change,
            version: versionOf.get(change.key) ?? change.version,
          })),
        });
      },
      onError: (error) => {
        if (error.data?.code === 'CONFLICT') onConflict();
      },
    }),
  );
  return {
    ...apply,
    isConflict: apply.error?.data?.code === 'CONFLICT',
    apply: (reason: string) =>
      mutate({
        project,
        verifier,
        body: {
          changes: planned.map(({ key, value, version }) => ({
            key,
            value,
            expected_version: version,
          })),
          scope: { mission_id: scope.missionId, task_id: scope.taskId },
          reason,
        },
      }),
  };
}
