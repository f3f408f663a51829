import type { CodeView } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, LongText } from '../block';
import { pointsClass } from './points-card';

/** The repair instructions for the model, or why there are no more. */
export function NudgeBlock({ nudge, repair }: Pick<CodeView, 'nudge' | 'repair'>) {
  if (nudge === null && repair.exhaustedNote === null) return null;
  return (
    <Block
      title="Repair"
      aside={
        <span className="text-12 text-ink-3">
          {repair.iteration} of {repair.budget} used
          {repair.bonusGranted ? ', one more granted: it improves' : ''}
        </span>
      }
    >
      <div className="grid gap-3">
        {nudge === null ? null : <LongText text={nudge} mono />}
        {repair.exhaustedNote === null ? null : (
          <p className="text-ink-2 [overflow-wrap:anywhere]">
            <VisibleText text={repair.exhaustedNote} />
          </p>
        )}
      </div>
    </Block>
  );
}

/** QEL-41: each attempt of this session at the same work, newest first. */
export function TrajectoryBlock({ trajectory }: Pick<CodeView, 'trajectory'>) {
  if (trajectory.length === 0) return null;
  return (
    <Block title="Attempts" aside={<span className="text-12 text-ink-3">newest first</span>}>
      <ol className="grid gap-1">
        {trajectory.map(({ iteration, total, verdict }, at) => (
          <li key={at} className="grid grid-cols-[88px_48px_minmax(0,1fr)] gap-x-3">
            <span>{iteration === 0 ? 'first' : `repair #${iteration}`}</span>
            <span
              className={
                total === null ? 'text-ink-3' : `${pointsClass(total)} text-right font-semibold`
              }
            >
              {total ?? 'none'}
            </span>
            <span className="text-ink-2">{verdict ?? 'no verdict'}</span>
          </li>
        ))}
      </ol>
    </Block>
  );
}

/** QEL-50. */
const notChecked = [
  'whether it does what was intended: Assay only checks for parts that the request names',
  'business logic, algorithms and their speed',
  'security, races and concurrency',
  'database queries, and what endpoints answer',
  'how good the tests are',
];

export function NotCheckedBlock() {
  return (
    <Block title="Not checked">
      <p className="text-ink-2">
        A pass means that the code is complete and well formed, not that it is correct. Assay does
        not check:
      </p>
      <ul className="text-ink-2 list-disc pt-1 pl-5">
        {notChecked.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Block>
  );
}
