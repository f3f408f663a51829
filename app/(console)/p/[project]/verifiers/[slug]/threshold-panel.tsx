'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { Threshold } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { buttonClass } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Empty, Panel } from '@/app/_ui/panel';
import { thresholdHref } from '../../thresholds/addresses';
import { plainNumber } from '../../verdicts/[id]/subject/words';
import { ScopedList, type SetValue } from './scoped-list';

interface ThresholdPanelProps {
  project: string;
  verifier: string;
  initial: Threshold[];
  mayWrite: boolean;
}

/**
 * The current thresholds; they are changed on the thresholds page, with a simulation first. Stored
 * verdicts keep the values that decided them.
 */
export function ThresholdPanel({ project, verifier, initial, mayWrite }: ThresholdPanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.thresholds.list.queryOptions(
    { project, verifier },
    { initialData: initial },
  );
  const { data: thresholds } = useQuery(options);
  const refresh = () => void client.invalidateQueries({ queryKey: options.queryKey });
  const removeValue = useMutation(
    trpc.thresholds.put.mutationOptions({
      onSuccess: () => {
        announce('Value removed');
        refresh();
      },
    }),
  );
  const remove = (key: string, { missionId, taskId }: SetValue) =>
    removeValue.mutate({
      project,
      verifier,
      key,
      body: { value: null, scope: { mission_id: missionId, task_id: taskId } },
    });
  return (
    <Panel
      title="Thresholds"
      aside={<span className="text-12 text-ink-3">A change applies to new verdicts only</span>}
    >
      {thresholds.length === 0 ? (
        <Empty title="It has no threshold: it counts." />
      ) : (
        <ul aria-label="Thresholds">
          {thresholds.map((threshold) => (
            <li
              key={threshold.key}
              aria-label={threshold.key}
              className="border-line grid gap-2 border-b px-4 py-3 last:border-0"
            >
              <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
                <div className="grid min-w-0 gap-0.5">
                  <p className="flex flex-wrap items-baseline gap-x-3">
                    <code className="text-12 font-mono font-semibold">{threshold.key}</code>
                    <span className="text-16 font-semibold">{plainNumber(threshold.value)}</span>
                    <span className="text-ink-2">{sourceText(threshold)}</span>
                  </p>
                  <p className="text-ink-2">{threshold.meaning}</p>
                </div>
                <Link
                  href={thresholdHref(project, { verifier, key: threshold.key })}
                  aria-label={`${mayWrite ? 'Move' : 'Try'} ${threshold.key}`}
                  className={buttonClass()}
                >
                  {mayWrite ? 'Move threshold' : 'Try values'}
                </Link>
              </div>
              <ScopedList
                threshold={threshold}
                mayWrite={mayWrite}
                busy={removeValue.isPending}
                onRemove={(set) => remove(threshold.key, set)}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="px-4">
        <FieldError text={removeValue.error ? problemOf(removeValue.error).message : null} />
      </div>
    </Panel>
  );
}

function sourceText({ source, version, standard }: Threshold): string {
  return source === 'default'
    ? 'default'
    : `set for the project, version ${version}; the default is ${plainNumber(standard)}`;
}
