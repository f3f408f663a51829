'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ReactNode, useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Project } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Confirm } from '@/app/_ui/confirm';
import { FieldError } from '@/app/_ui/field';
import { PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';

export function IntegrityPanel({ project, mayWrite }: { project: Project; mayWrite: boolean }) {
  const router = useRouter();
  const [confirming, setConfirming] = useState(false);
  const { integrity, slug } = project;
  const update = useMutation(
    useTRPC().settings.update.mutationOptions({
      onSuccess: () => {
        setConfirming(false);
        announce('Setting changed');
        // The banner is in the layout, which is rendered on the server.
        router.refresh();
      },
    }),
  );
  const locked = !mayWrite || update.isPending;
  const byEnvironment = integrity.offBy === 'environment';
  const on = integrity.state === 'on';
  return (
    <>
      <PageHead
        title="Integrity"
        sub="Traces every figure of an answer to the sources of the same turn."
      />
      <FieldError text={update.error && !confirming ? problemOf(update.error).message : null} />
      <Panel title="Verification">
        <Switch
          name="Verify figures"
          on={on}
          locked={locked || byEnvironment}
          onToggle={() =>
            on ? setConfirming(true) : update.mutate({ project: slug, integrityEnabled: true })
          }
        >
          {byEnvironment
            ? 'Switched off for the whole server by ASSAY_AI_INTEGRITY. Only the operator can switch it on again.'
            : 'If it is off, answers pass unchanged, without verification, marks or corrective messages. Switch it off only temporarily; every page shows a warning.'}
        </Switch>
      </Panel>
      <Panel title="What counts as sourced">
        <Switch
          name="Allow figures of the user"
          on={integrity.allowUserFigures}
          locked={locked}
          onToggle={() =>
            update.mutate({ project: slug, allowUserFigures: !integrity.allowUserFigures })
          }
        >
          A figure that the user wrote in the question counts as sourced when the answer repeats it.
          Off: only tool results and context count.
        </Switch>
      </Panel>
      {mayWrite ? null : (
        <p className="text-ink-3">Your role is {project.role}; owners and admins change these.</p>
      )}
      {confirming ? (
        <Confirm
          title="Switch integrity off"
          action="Switch off"
          busy={update.isPending}
          error={update.error ? problemOf(update.error).message : null}
          onConfirm={() => update.mutate({ project: slug, integrityEnabled: false })}
          onClose={() => setConfirming(false)}
        >
          <p>
            Assay will trace no figures of this project, and invented ones will reach readers
            unmarked. The audit log records the change.
          </p>
        </Confirm>
      ) : null}
    </>
  );
}

interface SwitchProps {
  name: string;
  on: boolean;
  locked: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function Switch({ name, on, locked, onToggle, children }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6 p-4">
      <div className="grid max-w-[64ch] gap-1">
        <span id={id} className="font-semibold">
          {name}
        </span>
        <p id={`${id}-text`} className="text-ink-2">
          {children}
        </p>
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-labelledby={id}
        aria-describedby={`${id}-text`}
        disabled={locked}
        onClick={onToggle}
        className="flex shrink-0 items-center gap-2"
      >
        <span className="w-6 text-right">{on ? 'On' : 'Off'}</span>
        <span
          aria-hidden="true"
          className={`flex h-5 w-9 items-center rounded-full border px-0.5 ${on ? 'bg-accent border-accent justify-end' : 'bg-sunken border-line-strong'}`}
        >
          <span className={`size-3.5 rounded-full ${on ? 'bg-on-accent' : 'bg-ink-3'}`} />
        </span>
      </button>
    </div>
  );
}
