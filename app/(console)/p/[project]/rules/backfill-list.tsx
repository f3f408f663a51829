'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { z } from 'zod';
import { useTRPC } from '@/app/_trpc/client';
import type { Job } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { FieldError } from '@/app/_ui/field';
import { Age } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { paceText } from './pace';

interface BackfillListProps {
  project: string;
  initial: Job[];
  mayWrite: boolean;
  /** Called when a backfill has progressed or ended. */
  onProgress: () => void;
}

const isActive = (job: Job): boolean => job.state === 'waiting' || job.state === 'running';

/** The latest backfills; renders nothing without any. */
export function BackfillList({ project, initial, mayWrite, onProgress }: BackfillListProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.jobs.list.queryOptions(
    { project, kind: 'rules.backfill', limit: 5 },
    { initialData: initial },
  );
  const { data: jobs, dataUpdatedAt } = useQuery(options);
  const cancel = useMutation(
    trpc.jobs.cancel.mutationOptions({
      onSuccess: () => {
        announce('Backfill cancelled');
        void client.invalidateQueries({ queryKey: options.queryKey });
      },
    }),
  );
  const latest = useRef(onProgress);
  useEffect(() => {
    latest.current = onProgress;
  });
  const progress = jobs.map((job) => `${job.id} ${job.done} ${job.state}`).join('\n');
  useEffect(() => latest.current(), [progress]);
  if (jobs.length === 0) return null;
  return (
    <Panel title="Backfills">
      <FieldError text={cancel.error ? problemOf(cancel.error).message : null} />
      <ul>
        {jobs.map((job) => (
          <li key={job.id} className="border-line grid gap-2 border-b px-4 py-3 last:border-0">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p>
                <span className="font-semibold">{ruleOf(job)}</span>{' '}
                <span className="text-ink-2">
                  by <VisibleText text={job.createdBy} />, <Age at={job.createdAt} /> ago
                </span>
              </p>
              {mayWrite && isActive(job) ? (
                <Button
                  aria-label={`Cancel the backfill of ${ruleOf(job)}`}
                  busy={cancel.isPending && cancel.variables.id === job.id}
                  onClick={() => cancel.mutate({ project, id: job.id })}
                >
                  Cancel
                </Button>
              ) : null}
            </div>
            <Progress job={job} readAt={dataUpdatedAt} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Progress({ job, readAt }: { job: Job; readAt: number }) {
  const { done, total, state } = job;
  const ratio =
    total === null || total === 0 ? (state === 'done' ? 1 : 0) : Math.min(1, done / total);
  const count =
    total === null
      ? done.toLocaleString('en')
      : `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  return (
    <>
      <ProgressBar label={`Backfill of ${ruleOf(job)}`} ratio={ratio} isOpen={total === null} />
      <p className="text-12 text-ink-2">
        {stateText[state]}: {count} turns checked
        {isActive(job) ? paceText({ done, total, sinceMs: readAt - job.createdAt.getTime() }) : ''}
        {decidedText(job)}
        {job.reason === null ? null : (
          <>
            . <VisibleText text={job.reason} />
          </>
        )}
      </p>
    </>
  );
}

const stateText: Record<Job['state'], string> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const Input = z.object({ rule: z.string() });
const Result = z.object({ decided: z.record(z.string(), z.number()) });

function ruleOf(job: Job): string {
  const input = Input.safeParse(job.input);
  return input.success ? input.data.rule : 'a rule';
}

function decidedText(job: Job): string {
  const result = Result.safeParse(job.result);
  if (!result.success) return '';
  const sent = result.data.decided.run ?? 0;
  const all = Object.values(result.data.decided).reduce((sum, count) => sum + count, 0);
  return `, ${all.toLocaleString('en')} decided, ${sent.toLocaleString('en')} sent to the verifier`;
}
