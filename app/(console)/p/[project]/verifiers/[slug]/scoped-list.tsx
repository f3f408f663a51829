import type { Threshold } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Moment } from '@/app/_ui/moment';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { plainNumber } from '../../verdicts/[id]/subject/words';

export type SetValue = Threshold['set'][number];

interface ScopedListProps {
  threshold: Threshold;
  mayWrite: boolean;
  busy: boolean;
  onRemove: (set: SetValue) => void;
}

/** Explicit values, each with its scope; the narrowest scope decides. */
export function ScopedList({ threshold, mayWrite, busy, onRemove }: ScopedListProps) {
  if (threshold.set.length === 0) return null;
  return (
    <ul aria-label={`Values set for ${threshold.key}`} className="grid gap-1">
      {threshold.set.map((set) => (
        <li
          key={JSON.stringify([set.missionId, set.taskId])}
          className="bg-sunken rounded-4 flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1"
        >
          <span className="font-semibold">{plainNumber(set.value)}</span>
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <VisibleText text={scopeText(set)} />
          </span>
          <span className="text-12 text-ink-2 min-w-0 [overflow-wrap:anywhere]">
            version {set.version} by <VisibleText text={set.by} />, <Moment at={set.at} />
          </span>
          {set.reason === null ? null : (
            <span className="text-ink-2 min-w-0 [overflow-wrap:anywhere]">
              <VisibleText text={set.reason} />
            </span>
          )}
          {mayWrite ? (
            <span className="ml-auto">
              <Button
                variant="quiet"
                disabled={busy}
                aria-label={`Remove ${threshold.key} ${plainText(scopeText(set))}`}
                onClick={() => onRemove(set)}
              >
                Remove
              </Button>
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function scopeText({ missionId, taskId }: SetValue): string {
  if (missionId === null && taskId === null) return 'for the project';
  if (taskId === null) return `for mission ${missionId ?? ''}`;
  return missionId === null
    ? `for task ${taskId} of no mission`
    : `for task ${taskId} of mission ${missionId}`;
}
