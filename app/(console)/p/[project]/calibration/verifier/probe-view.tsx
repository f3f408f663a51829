'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ProbeRun, ProbeState } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../traces/amounts';
import { ProbeDialog } from './probe-dialog';
import { ProbeFacts } from './probe-findings';
import { ProbeHistory } from './probe-history';
import { ProbeRows } from './probe-rows';
import { findingText, isProbing, probeMeaning, probeName } from './probe-words';
import { RunProgress } from './run-progress';

interface ProbeViewProps {
  state: ProbeState;
  project: string;
  verifier: string;
  mayWrite: boolean;
  onChange: () => void;
}

/** One probe: its purpose, its last findings, and earlier runs. */
export function ProbeView({
  state: { probe, runs },
  project,
  verifier,
  mayWrite,
  onChange,
}: ProbeViewProps) {
  const trpc = useTRPC();
  const [starting, setStarting] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const cancel = useMutation(
    trpc.jobs.cancel.mutationOptions({
      onSuccess: () => {
        announce('Probe cancelled');
        onChange();
      },
    }),
  );
  const name = probeName[probe];
  const running = runs.find(isProbing);
  const last = runs.find(({ findings }) => findings !== null);
  const shown = runs.find((run) => run.id === opened);
  return (
    <section aria-label={name} className="grid grid-cols-[minmax(0,1fr)]">
      <div className="grid gap-2 px-4 py-3">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="grid min-w-0 gap-1">
            <h3 className="font-semibold">{name}</h3>
            <p className="text-ink-2 max-w-[80ch]">{probeMeaning[probe]}</p>
          </div>
          {!mayWrite ? null : running === undefined ? (
            <Button aria-label={`Run: ${name}`} onClick={() => setStarting(true)}>
              Run
            </Button>
          ) : (
            <Button
              aria-label={`Cancel: ${name}`}
              busy={cancel.isPending}
              onClick={() => cancel.mutate({ project, id: running.id })}
            >
              Cancel
            </Button>
          )}
        </div>
        {running === undefined ? null : <RunProgress name={name} run={running} />}
        <FieldError text={cancel.error ? problemOf(cancel.error).message : null} />
        {last === undefined ? (
          running === undefined ? (
            <p className="text-ink-3">Not probed yet.</p>
          ) : null
        ) : (
          <LastFinding run={last} onOpen={() => setOpened(last.id)} />
        )}
      </div>
      {last?.findings == null ? null : <ProbeFacts findings={last.findings} />}
      <ProbeHistory
        name={name}
        runs={runs.filter((run) => run.id !== last?.id && !isProbing(run))}
        onOpen={setOpened}
      />
      {starting ? (
        <ProbeDialog
          project={project}
          verifier={verifier}
          probe={probe}
          onStarted={onChange}
          onClose={() => setStarting(false)}
        />
      ) : null}
      {shown === undefined ? null : (
        <ProbeRows project={project} run={shown} onClose={() => setOpened(null)} />
      )}
    </section>
  );
}

function LastFinding({ run, onOpen }: { run: ProbeRun; onOpen: () => void }) {
  const { findings, verifier, judge, startedAt, costUsd, total, probe } = run;
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
        {findings !== null && findings.probe === 'canaries' && findings.passed > 0 ? (
          <AlarmIcon />
        ) : null}
        {findings === null ? null : findingText(findings)}
        {total === 0 ? null : (
          <Button
            variant="quiet"
            aria-label={`What was judged: ${probeName[probe]}`}
            onClick={onOpen}
          >
            What was judged
          </Button>
        )}
      </p>
      <p className="text-12 text-ink-2 [overflow-wrap:anywhere]">
        {verifier}
        {judge === null ? null : (
          <>
            {' '}
            with <VisibleText text={judge} />
          </>
        )}
        , <Moment at={startedAt} />
        {costUsd === 0 ? null : `, ${costText(costUsd)}`}
      </p>
    </div>
  );
}

function AlarmIcon() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      aria-hidden="true"
      className="text-fail shrink-0"
    >
      <path
        d="M8 1.8 15 14.2H1zM8 6.2v3.6m0 2.1v.1"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}
