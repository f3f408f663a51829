'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Field, FieldError } from '@/app/_ui/field';
import { Panel, Skeleton } from '@/app/_ui/panel';
import { GateView } from '../../prompts/[slug]/gate-view';
import { ForceField, outcomeText } from '../../prompts/[slug]/promote-dialog';

/** A person's decision on the gate's finding. */
export interface GateOverride {
  readonly force: boolean;
  readonly reason: string;
}

/** A name is checked only after a pause in typing. */
const settleMs = 300;

interface JudgeGateProps {
  project: string;
  /** The judges; only specs that can be parsed. */
  defaultJudge: string | null;
  jury: string[];
  words: GateOverride;
  onChange: (words: GateOverride) => void;
}

/** The gate's finding on another judge, before it is saved. */
export function JudgeGate({ project, defaultJudge, jury, words, onChange }: JudgeGateProps) {
  const trpc = useTRPC();
  const judges = JSON.stringify([defaultJudge, jury]);
  const [checkedJudges, setCheckedJudges] = useState(judges);
  useEffect(() => {
    const timer = setTimeout(() => setCheckedJudges(judges), settleMs);
    return () => clearTimeout(timer);
  }, [judges]);
  const check = useQuery(
    trpc.promotions.checkJudge.queryOptions(
      { project, defaultJudge, jury },
      { staleTime: 0, enabled: checkedJudges === judges },
    ),
  );
  return (
    <Panel title="Change of judge">
      <div className="grid gap-3 p-4">
        <FieldError text={check.error ? problemOf(check.error).message : null} />
        {check.data === undefined ? (
          check.error ? null : (
            <Skeleton className="h-16" />
          )
        ) : (
          <>
            <GateView
              findings={check.data.findings}
              trials={check.data.trials}
              names={{ candidate: 'The new judge', other: 'The current judge' }}
            />
            <p aria-live="polite" className="font-semibold">
              {outcomeText(check.data)}
            </p>
            {check.data.outcome === 'refused' && check.data.mode === 'advise' ? (
              <ForceField
                isForced={words.force}
                onChange={(force) => onChange({ ...words, force })}
              />
            ) : null}
            <div className="max-w-[512px]">
              <Field
                label={words.force ? 'Reason for the override' : 'Reason (optional)'}
                value={words.reason}
                maxLength={1000}
                autoComplete="off"
                onChange={(event) => onChange({ ...words, reason: event.target.value })}
              />
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}
