'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { may } from '@/app/(console)/pages';
import { useTRPC } from '@/app/_trpc/client';
import type { GatewaySummary, Project } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Moment } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';

type Breaker = GatewaySummary['breakers'][number];

/** Items that need attention now; renders nothing without any. */
export function NeedsPanel({
  project,
  breakers,
}: {
  project: Project;
  breakers: readonly Breaker[];
}) {
  const isOff = project.integrity.state === 'off';
  if (breakers.length === 0 && !isOff) return null;
  return (
    <Panel title="Needs attention">
      <ul className="grid">
        {breakers.map((breaker) => (
          <OpenBreaker key={breaker.model} project={project} breaker={breaker} />
        ))}
        {isOff ? (
          <li className="border-line flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2 last:border-0">
            <VerdictIcon state="inconclusive" />
            <p className="min-w-0 flex-1">
              Integrity is switched off: no figure in an answer is traced or marked.
            </p>
            <Link href={`/p/${project.slug}/settings/integrity`} className="underline">
              Open setting
            </Link>
          </li>
        ) : null}
      </ul>
    </Panel>
  );
}

function OpenBreaker({ project, breaker }: { project: Project; breaker: Breaker }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const reset = useMutation(
    trpc.gateway.resetBreaker.mutationOptions({
      onSuccess: () => {
        announce(`Breaker of ${breaker.model} reset`);
        void client.invalidateQueries({ queryKey: trpc.gateway.pathKey() });
      },
    }),
  );
  const { model, failures, replicas, state, openUntil, problem } = breaker;
  return (
    <li className="border-line grid gap-1 border-b px-4 py-2 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <VerdictIcon state="inconclusive" />
        <p className="min-w-[min(100%-26px,320px)] flex-1">
          The breaker of{' '}
          <code className="text-12 font-mono [overflow-wrap:anywhere]">
            <VisibleText text={model} />
          </code>{' '}
          is open after {failures.toLocaleString('en')} {failures === 1 ? 'failure' : 'failures'} in
          a row
          {replicas > 1 ? ` on ${replicas} replicas` : ''}: answers that are due are delivered
          unverified.{' '}
          <span className="text-ink-3">
            {state === 'probing' || openUntil === null ? (
              'The next due answer is a trial call.'
            ) : (
              <>
                It is retried after <Moment at={openUntil} />.
              </>
            )}
          </span>
        </p>
        {may(project, 'settings.write') ? (
          <Button
            busy={reset.isPending}
            aria-label={`Reset the breaker of ${model}`}
            onClick={() => reset.mutate({ project: project.slug, model })}
          >
            Reset breaker
          </Button>
        ) : null}
      </div>
      {problem === null ? null : (
        <p className="text-12 text-ink-3 min-w-0 pl-[26px] [overflow-wrap:anywhere]">
          Last problem: <VisibleText text={problem} />
        </p>
      )}
      <FieldError text={reset.error ? problemOf(reset.error).message : null} />
    </li>
  );
}
