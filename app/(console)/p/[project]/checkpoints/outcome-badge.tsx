/** The reported outcome of a request: this is ground truth, so it does not use a verdict colour. */
export function OutcomeBadge({ succeeded }: { succeeded: boolean | null }) {
  if (succeeded === null) return <span className="text-ink-3">not known</span>;
  return (
    <span className="text-12 border-line-strong rounded-4 inline-flex items-center gap-1 border px-1.5 whitespace-nowrap">
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <path
          d={succeeded ? 'm1.5 5.2 2.4 2.4 4.6-5.2' : 'm2 2 6 6m0-6-6 6'}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {succeeded ? 'succeeded' : 'did not'}
    </span>
  );
}
