'use client';

import { useRouter } from 'next/navigation';
import Link from 'next/link';
import { useState } from 'react';
import type { Threshold } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { VisibleText } from '@/app/_ui/visible-text';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { type ThresholdAddress, thresholdHref } from './addresses';
import { scopeText } from './threshold-words';
import { ScopeDialog } from './scope-dialog';

interface ScopeBarProps {
  project: string;
  address: ThresholdAddress;
  threshold: Threshold;
}

/** The scope of the value, with the scopes that have their own. */
export function ScopeBar({ project, address, threshold }: ScopeBarProps) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  // A candidate was chosen for the numbers of its scope, so it is not carried over.
  const hrefOf = (mission: string | null, task: string | null) =>
    thresholdHref(project, { ...address, mission, task, value: null, staged: [] });
  const here = { missionId: address.mission, taskId: address.task };
  const others = threshold.set.filter(
    ({ missionId, taskId }) =>
      (missionId !== null || taskId !== null) &&
      (missionId !== here.missionId || taskId !== here.taskId),
  );
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="min-w-0 [overflow-wrap:anywhere]">
        For{' '}
        <strong className="font-semibold">
          <VisibleText text={scopeText(here)} />
        </strong>
      </p>
      <Button onClick={() => setOpen(true)}>Change scope</Button>
      {here.missionId === null && here.taskId === null ? null : (
        <Link href={hrefOf(null, null)} className="underline">
          The whole project
        </Link>
      )}
      {others.length === 0 ? null : (
        <ul aria-label="Scopes with their own value" className="flex flex-wrap gap-x-4 gap-y-1">
          {others.slice(0, 10).map((set) => (
            <li
              key={JSON.stringify([set.missionId, set.taskId])}
              className="min-w-0 [overflow-wrap:anywhere]"
            >
              <Link href={hrefOf(set.missionId, set.taskId)} prefetch={false} className="underline">
                <VisibleText text={scopeText(set)} />
              </Link>{' '}
              {plainNumber(set.value)}
            </li>
          ))}
          {others.length > 10 ? (
            <li className="text-ink-3">{others.length - 10} more on the page of the verifier</li>
          ) : null}
        </ul>
      )}
      {open ? (
        <ScopeDialog
          scope={here}
          onClose={() => setOpen(false)}
          onChoose={({ missionId, taskId }) => {
            setOpen(false);
            router.push(hrefOf(missionId, taskId));
          }}
        />
      ) : null}
    </div>
  );
}
