'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { AnchorSet } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { FieldError } from '@/app/_ui/field';
import { Age, Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { AnchorChart } from './anchor-chart';
import { AnchorRunTable } from './anchor-run-table';
import { isRunning, scheduleText, sides, subjects } from './anchor-words';
import { RunProgress } from './run-progress';

interface AnchorSetViewProps {
  set: AnchorSet;
  project: string;
  mayWrite: boolean;
  onChange: () => void;
}

/** One set: its contents, its schedule, and the agreement of each run with the frozen labels. */
export function AnchorSetView({ set, project, mayWrite, onChange }: AnchorSetViewProps) {
  const trpc = useTRPC();
  const [retiring, setRetiring] = useState(false);
  const announcing = (what: string) => ({
    onSuccess: () => {
      announce(what);
      setRetiring(false);
      onChange();
    },
  });
  const run = useMutation(
    trpc.calibration.runAnchors.mutationOptions(announcing('Judging started')),
  );
  const retire = useMutation(
    trpc.calibration.retireAnchors.mutationOptions(announcing('Set retired')),
  );
  const cancel = useMutation(trpc.jobs.cancel.mutationOptions(announcing('Run cancelled')));
  const running = set.runs.find(isRunning);
  const done = set.runs.filter(({ state }) => state === 'done').toReversed();
  const problem = run.error ?? cancel.error;
  const input = { project, id: set.id };
  return (
    <section aria-label={`Anchor set ${set.name}`} className="grid grid-cols-[minmax(0,1fr)]">
      <div className="grid gap-2 px-4 py-3">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="grid min-w-0 gap-1">
            <h3 className="font-semibold [overflow-wrap:anywhere]">
              <VisibleText text={set.name} />
            </h3>
            <p className="text-ink-2 max-w-[80ch] [overflow-wrap:anywhere]">
              {subjects(set.items)}: {sides({ good: set.good, bad: set.items - set.good })}. Frozen
              by <VisibleText text={set.createdBy} />, <Age at={set.createdAt} /> ago.{' '}
              <Schedule set={set} />
            </p>
            <p className="text-12 text-ink-3">
              Fingerprint{' '}
              <code className="font-mono" title={set.fingerprint}>
                {set.fingerprint.slice(0, 12)}
              </code>
            </p>
          </div>
          {mayWrite ? (
            <div className="flex flex-wrap gap-2">
              {running === undefined ? (
                <Button
                  aria-label={`Judge ${set.name} now`}
                  busy={run.isPending}
                  onClick={() => run.mutate(input)}
                >
                  Judge now
                </Button>
              ) : (
                <Button
                  aria-label={`Cancel the run of ${set.name}`}
                  busy={cancel.isPending}
                  onClick={() => cancel.mutate({ project, id: running.id })}
                >
                  Cancel the run
                </Button>
              )}
              <Button
                variant="quiet"
                aria-label={`Retire ${set.name}`}
                onClick={() => setRetiring(true)}
              >
                Retire
              </Button>
            </div>
          ) : null}
        </div>
        {running === undefined ? null : <RunProgress name={set.name} run={running} />}
        <FieldError text={problem ? problemOf(problem).message : null} />
      </div>
      {set.runs.length === 0 ? (
        <p className="text-ink-2 px-4 pb-4">Not judged yet.</p>
      ) : (
        <div
          className={
            done.length < 2
              ? ''
              : 'grid grid-cols-[minmax(0,1fr)] items-start min-[1800px]:grid-cols-[minmax(0,1fr)_480px]'
          }
        >
          <AnchorRunTable name={set.name} runs={set.runs} />
          {done.length < 2 ? null : (
            <div className="grid grid-cols-[minmax(0,1fr)] p-4">
              <AnchorChart name={set.name} runs={done} />
            </div>
          )}
        </div>
      )}
      {retiring ? (
        <Confirm
          title={`Retire ${set.name}`}
          action="Retire set"
          busy={retire.isPending}
          error={retire.error ? problemOf(retire.error).message : null}
          onConfirm={() => retire.mutate(input)}
          onClose={() => setRetiring(false)}
        >
          It is no longer judged, on schedule or manually, and no longer used to measure drift. Its
          runs are kept. This cannot be undone; freeze another set instead.
        </Confirm>
      ) : null}
    </section>
  );
}

function Schedule({ set }: { set: AnchorSet }) {
  if (set.retired) return 'Retired.';
  return (
    <>
      Judged {scheduleText(set)}
      {set.nextAt === null ? null : (
        <>
          ; next <Moment at={set.nextAt} />
        </>
      )}
      .
    </>
  );
}
