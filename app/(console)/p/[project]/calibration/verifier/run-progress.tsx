import { ProgressBar, ratioOf } from '@/app/_ui/progress-bar';
import { VisibleText } from '@/app/_ui/visible-text';

interface RunProgressProps {
  /** The name of the set or probe that runs. */
  name: string;
  run: { readonly done: number; readonly total: number; readonly reason: string | null };
}

/** Progress of a run of an anchor set or a probe. */
export function RunProgress({ name, run: { done, total, reason } }: RunProgressProps) {
  return (
    <>
      <ProgressBar label={`Run of ${name}`} ratio={ratioOf(done, total)} />
      <p className="text-12 text-ink-2 [overflow-wrap:anywhere]">
        {done.toLocaleString('en')} of {total.toLocaleString('en')} judged.
        {reason === null ? null : (
          <>
            {' '}
            <VisibleText text={reason} />
          </>
        )}
      </p>
    </>
  );
}
