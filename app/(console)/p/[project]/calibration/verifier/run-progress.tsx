import { VisibleText } from '@/app/_ui/visible-text';

interface RunProgressProps {
  /** The name of the set or probe that runs. */
  name: string;
  run: { readonly done: number; readonly total: number; readonly reason: string | null };
}

/** Progress of a run of an anchor set or a probe. */
export function RunProgress({ name, run: { done, total, reason } }: RunProgressProps) {
  const percent = total === 0 ? 100 : Math.round((100 * Math.min(done, total)) / total);
  return (
    <>
      <div
        role="progressbar"
        aria-label={`Run of ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="bg-sunken rounded-4 h-2 overflow-hidden"
      >
        <div className="bg-accent h-full" style={{ width: `${percent}%` }} />
      </div>
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
