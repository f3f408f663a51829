'use client';

import { useId, useState } from 'react';
import type { ThresholdChange } from '@/app/_trpc/outputs';
import { Button, buttonClass } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { ApplyDialog } from './apply-dialog';
import type { PlannedChange, Scope } from './threshold-values';
import type { Applied } from './use-apply';

interface StagedPanelProps {
  project: string;
  verifier: string;
  scope: Scope;
  planned: readonly PlannedChange[];
  changes: readonly ThresholdChange[];
  /** Why the server would refuse them; null if no reason is known. */
  refusal: string | null;
  who: string;
  mayWrite: boolean;
  onRemove: (key: string) => void;
  onApplied: (applied: Applied) => void;
  onConflict: () => void;
}

/** The chosen values before they are applied: one key, or several together. */
export function StagedPanel({ planned, refusal, mayWrite, onRemove, ...rest }: StagedPanelProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Staged" aside={<span className="text-12 text-ink-3">not applied yet</span>}>
      {planned.length === 0 ? (
        <p className="text-ink-2 max-w-[72ch] p-4">
          Nothing staged. Move the value; you can move several thresholds of the verifier together.
        </p>
      ) : (
        <div className="grid gap-3 p-4">
          <ul aria-label="Staged values" className="grid gap-1">
            {planned.map(({ key, before, value }) => (
              <li
                key={key}
                className="bg-sunken rounded-4 flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1"
              >
                <code className="text-12 font-mono">{key}</code>
                <span>
                  {plainNumber(before)} to{' '}
                  <strong className="font-semibold">{plainNumber(value)}</strong>
                </span>
                <span className="ml-auto">
                  <Button
                    variant="quiet"
                    aria-label={`Unstage ${key}`}
                    onClick={() => onRemove(key)}
                  >
                    Unstage
                  </Button>
                </span>
              </li>
            ))}
          </ul>
          {planned.length < 2 ? null : (
            <p className="text-12 text-ink-3">
              The numbers on this page are for the shown threshold only.
            </p>
          )}
          {mayWrite ? (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <button
                type="button"
                aria-disabled={refusal !== null || undefined}
                aria-describedby={refusal === null ? undefined : id}
                onClick={() => setOpen(refusal === null)}
                className={buttonClass('primary')}
              >
                {planned.length === 1 ? 'Apply change' : `Apply ${planned.length} changes`}
              </button>
              {refusal === null ? null : (
                <p id={id} className="text-ink-2 max-w-[72ch]">
                  Cannot be applied: {refusal}
                </p>
              )}
            </div>
          ) : (
            <p className="text-ink-2">
              Your role can view this project but not apply changes. Send the address of this page
              to an owner or admin.
            </p>
          )}
        </div>
      )}
      {open ? <ApplyDialog {...rest} planned={planned} onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}
