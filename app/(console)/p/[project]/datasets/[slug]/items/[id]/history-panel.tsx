'use client';

import { useState } from 'react';
import type { DatasetItem } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { Empty, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { StateDiff } from '../../state-diff';
import { VersionSelect } from '../../version-select';

interface HistoryPanelProps {
  /** Newest first. */
  states: readonly DatasetItem[];
}

/** The states of an item, and the difference of two of them: by default of the latest two. */
export function HistoryPanel({ states }: HistoryPanelProps) {
  const [chosen, setChosen] = useState<{ from?: number; to?: number }>({});
  const [newest, previous] = states;
  const versions = states.map(({ fromVersion }) => fromVersion);
  const latest = newest?.fromVersion ?? 0;
  const from = chosen.from ?? previous?.fromVersion ?? latest;
  const to = chosen.to ?? latest;
  const stateOf = (version: number) =>
    states.find(({ fromVersion }) => fromVersion === version) ?? null;
  return (
    <Panel
      title="History"
      aside={
        previous === undefined ? null : (
          <span className="flex flex-wrap items-center gap-2">
            {(['from', 'to'] as const).map((side) => (
              <VersionSelect
                key={side}
                name={side === 'from' ? 'From' : 'To'}
                versions={versions}
                latest={latest}
                value={side === 'from' ? from : to}
                onChange={(version) => setChosen({ ...chosen, [side]: version })}
              />
            ))}
          </span>
        )
      }
    >
      <ol aria-label="States" className="grid gap-1 px-4 py-2">
        {states.map((state, at) => (
          <li key={state.fromVersion} className="flex flex-wrap gap-x-3">
            <span className="font-semibold">Version {state.fromVersion}</span>
            <span className="text-ink-2 [overflow-wrap:anywhere]">
              {at === states.length - 1 ? 'first known state' : 'changed'} by{' '}
              <VisibleText text={state.createdBy} />, <Age at={state.createdAt} /> ago
              {state.toVersion !== null && at === 0
                ? `; removed in version ${state.toVersion}`
                : ''}
            </span>
          </li>
        ))}
      </ol>
      {previous === undefined ? (
        <Empty title="The item has not changed since it was added." />
      ) : (
        <StateDiff
          before={stateOf(from)}
          after={stateOf(to)}
          label={`Changes from version ${from} to version ${to}`}
        />
      )}
    </Panel>
  );
}
