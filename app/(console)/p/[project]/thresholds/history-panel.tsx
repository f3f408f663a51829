'use client';

import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ThresholdChange } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, Row } from '@/app/_ui/data-table';
import { FieldError } from '@/app/_ui/field';
import { Toggle } from '@/app/_ui/filter-fields';
import { Moment } from '@/app/_ui/moment';
import { Empty, Panel } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { scopeText } from './threshold-words';

interface HistoryPanelProps {
  project: string;
  verifier: string;
  changes: readonly ThresholdChange[];
  shownKey: string;
  mayWrite: boolean;
  onUndone: () => void;
}

/**
 * The changes with their authors, times and reasons. The current change can be undone, which
 * creates a new version.
 */
export function HistoryPanel({
  project,
  verifier,
  changes,
  shownKey,
  mayWrite,
  onUndone,
}: HistoryPanelProps) {
  const [all, setAll] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const undo = useMutation(
    useTRPC().thresholds.undo.mutationOptions({
      onSuccess: () => {
        announce('Undone');
        // The focused button disappears.
        area.current?.focus();
      },
      onSettled: onUndone,
    }),
  );
  const shown = all ? changes : changes.filter(({ key }) => key === shownKey);
  return (
    <Panel
      title="Changes"
      aside={
        <Toggle on={all} onChange={setAll}>
          All thresholds of the verifier
        </Toggle>
      }
    >
      <div ref={area} tabIndex={-1} role="group" aria-label="Changes, list">
        {shown.length === 0 ? (
          <Empty title="No changes yet." />
        ) : (
          <div className="max-h-96 overflow-y-auto">
            <DataTable
              label="Changes"
              heads={[
                'When',
                'Threshold',
                'Scope',
                'Change',
                'By',
                'Why',
                ...(mayWrite ? [''] : []),
              ]}
            >
              {shown.map((change) => (
                <Row
                  key={JSON.stringify([
                    change.key,
                    change.missionId,
                    change.taskId,
                    change.version,
                  ])}
                >
                  <Cell>
                    <Moment at={change.at} />
                  </Cell>
                  <Cell mono>{change.key}</Cell>
                  <td
                    className="max-w-56 truncate px-4 whitespace-nowrap"
                    title={plainText(scopeText(change))}
                  >
                    <VisibleText text={scopeText(change)} />
                  </td>
                  <Cell>
                    {valueText(change.before)} to{' '}
                    <strong className="font-semibold">{valueText(change.value)}</strong>
                    {change.isCurrent && change.value !== null ? (
                      <span className="text-ink-3">, current</span>
                    ) : null}
                  </Cell>
                  <td
                    className="max-w-48 truncate px-4 whitespace-nowrap"
                    title={plainText(change.by)}
                  >
                    <VisibleText text={change.by} />
                  </td>
                  <td
                    className="max-w-80 truncate px-4 whitespace-nowrap"
                    title={change.reason === null ? undefined : plainText(change.reason)}
                  >
                    {change.reason === null ? (
                      <span className="text-ink-3">none given</span>
                    ) : (
                      <VisibleText text={change.reason} />
                    )}
                  </td>
                  {mayWrite ? (
                    <Cell end>
                      {change.isCurrent ? (
                        <Button
                          variant="quiet"
                          busy={undo.isPending}
                          aria-label={`Undo ${change.key} version ${change.version} for ${plainText(scopeText(change))}`}
                          onClick={() =>
                            undo.mutate({ ...placeOf(change), project, verifier, reason: null })
                          }
                        >
                          Undo
                        </Button>
                      ) : null}
                    </Cell>
                  ) : null}
                </Row>
              ))}
            </DataTable>
          </div>
        )}
      </div>
      <div className="px-4 pb-2 empty:hidden">
        <FieldError text={undo.error ? problemOf(undo.error).message : null} />
      </div>
    </Panel>
  );
}

function placeOf({ key, missionId, taskId, version }: ThresholdChange) {
  return { key, missionId, taskId, version };
}

/** A scope without its own value uses the wider one. */
function valueText(value: number | null): string {
  return value === null ? 'removed' : plainNumber(value);
}
