import type { CodeView } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { LongText } from '../block';
import { GateBlock } from './gate-block';
import { PointBars } from './points-card';
import { NotCheckedBlock, NudgeBlock, TrajectoryBlock } from './repair-blocks';

/** QEL-46: all results on the work, with earlier attempts and the full report. */
export function QelPanel({ code, onClose }: { code: CodeView | null; onClose: () => void }) {
  if (code === null) {
    return (
      <Dialog title="Code verification" onClose={onClose}>
        <p>No verification data. Runs automatically after creation tasks.</p>
        <div className="flex justify-end pt-4">
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Code verification" onClose={onClose} wide>
      <div
        className="grid max-h-[70dvh] gap-4 overflow-y-auto pr-1"
        tabIndex={0}
        role="region"
        aria-label="Code verification, in full"
      >
        <PointBars points={code.points} />
        <TrajectoryBlock trajectory={code.trajectory} />
        <NudgeBlock nudge={code.nudge} repair={code.repair} />
        <GateBlock gates={code.gates} notes={code.notes} />
        {code.boostSuggestion === null ? null : (
          <p className="text-ink-2">{code.boostSuggestion}</p>
        )}
        {code.report === '' ? null : (
          <details>
            <summary className="cursor-pointer font-semibold">Show full report</summary>
            <div className="bg-sunken rounded-4 mt-2 p-3">
              <LongText text={code.report} mono />
            </div>
          </details>
        )}
        <NotCheckedBlock />
      </div>
      <div className="flex justify-end pt-4">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
