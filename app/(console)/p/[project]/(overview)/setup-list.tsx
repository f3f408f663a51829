'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { may } from '@/app/(console)/pages';
import type { Project, Setup } from '@/app/_trpc/outputs';
import { buttonClass } from '@/app/_ui/button';
import { CreateKeyHere } from '../settings/keys/create-key-here';
import { FirstTurnCommand } from './first-turn-command';
import { progressOf, type SetupStep, setupSteps, stepText } from './setup-steps';

interface SetupListProps {
  project: Project;
  setup: Setup;
  onKey: () => void;
}

/** The steps with their links. Done steps keep theirs: the list also serves as navigation. */
export function SetupList({ project, setup, onKey }: SetupListProps) {
  const { next } = progressOf(setup.steps);
  return (
    <ol aria-label="Set-up steps" className="grid">
      {setupSteps.map((step) => {
        const { title, reason, optional } = stepText[step];
        const isDone = setup.steps[step];
        return (
          <li
            key={step}
            aria-current={step === next ? 'step' : undefined}
            className={`border-line grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 border-b px-4 py-2 last:border-0 ${step === next ? 'bg-accent-wash/40' : ''}`}
          >
            <StepMark isDone={isDone} />
            <div className="grid min-w-0 gap-2">
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <div className="min-w-0">
                  <p className={isDone ? 'text-ink-2' : 'font-semibold'}>
                    {title}
                    <span className="sr-only">{isDone ? ', done' : ', not done yet'}</span>
                    {optional ? (
                      <span className="text-12 text-ink-3 font-normal"> optional</span>
                    ) : null}
                  </p>
                  <p className="text-12 text-ink-3">{reason}</p>
                </div>
                <StepAction step={step} project={project} setup={setup} onKey={onKey} />
              </div>
              {step === 'trace' && !isDone ? <FirstTurnCommand project={project} /> : null}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** A step is not a verdict, so its mark uses no verdict colour. */
function StepMark({ isDone }: { isDone: boolean }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" className="mt-0.5">
      {isDone ? (
        <>
          <circle cx="8" cy="8" r="7" className="fill-accent" />
          <path
            d="M4.8 8.3l2.2 2.2 4.2-4.6"
            fill="none"
            className="stroke-on-accent"
            strokeWidth="1.6"
            strokeLinecap="round"
          />
        </>
      ) : (
        <circle
          cx="8"
          cy="8"
          r="6.25"
          fill="none"
          className="stroke-line-strong"
          strokeWidth="1.5"
        />
      )}
    </svg>
  );
}

interface StepActionProps {
  step: SetupStep;
  project: Project;
  setup: Setup;
  onKey: () => void;
}

function StepAction({ step, project, setup, onKey }: StepActionProps) {
  if (!may(project, stepText[step].needs)) {
    return setup.steps[step] ? null : (
      <span className="text-12 text-ink-3">an owner or an admin does this</span>
    );
  }
  const base = `/p/${project.slug}`;
  const link = (href: string, text: string): ReactNode => (
    <Link href={`${base}/${href}`} className={buttonClass()}>
      {text}
    </Link>
  );
  const { latestVerdictId } = setup;
  switch (step) {
    case 'key':
      // One key for the whole list: to send turns, to read, and for calls through the gateway.
      return <CreateKeyHere project={project} scopes={['ingest', 'gateway']} onCreated={onKey} />;
    case 'trace':
      return null;
    case 'verdict':
      return latestVerdictId === null
        ? null
        : link(`verdicts/${latestVerdictId}`, 'Read the newest');
    case 'ruling':
      return latestVerdictId === null
        ? null
        : link(`verdicts/${latestVerdictId}#people`, 'Rule on the newest');
    case 'model':
      return link('settings/providers', 'Add a model');
    case 'threshold':
      return link('thresholds', 'Choose one to move');
    case 'prompt':
      return link('prompts', 'Choose one to edit');
    case 'gateway':
      return link('gateway', 'Point a client at it');
    case 'member':
      return link('settings/members', 'Invite');
  }
}
