import type { ReactNode } from 'react';
import { type ExperimentState, stateWords } from './experiment-words';

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 } as const;
const glyph = { ...line, strokeLinecap: 'round', strokeLinejoin: 'round' } as const;

/**
 * The only place that defines the style of an experiment's state. It uses no verdict colour, since
 * it judges no output.
 */
const styles: Record<ExperimentState, { readonly className: string; readonly shape: ReactNode }> = {
  open: {
    className: 'text-pending',
    shape: <circle cx="8" cy="8" r="6" {...line} strokeDasharray="2.6 2.1" />,
  },
  running: {
    className: 'text-accent',
    shape: (
      <>
        <circle cx="8" cy="8" r="6.2" {...line} />
        <path d="M8 3.6a4.4 4.4 0 0 1 0 8.8z" fill="currentColor" />
      </>
    ),
  },
  done: {
    className: 'text-ink-2',
    shape: (
      <>
        <circle cx="8" cy="8" r="6.2" {...line} />
        <path d="m5.2 8.2 2 2 3.7-4.2" {...glyph} />
      </>
    ),
  },
  over_budget: {
    className: 'text-ink-2',
    shape: (
      <>
        <path d="M8 1.2 14.8 8 8 14.8 1.2 8z" {...line} />
        <path d="M8 5v3.6m0 2.1v.1" {...glyph} />
      </>
    ),
  },
  cancelled: {
    className: 'text-ink-3',
    shape: (
      <>
        <circle cx="8" cy="8" r="6.2" {...line} />
        <path d="M3.8 12.2 12.2 3.8" {...glyph} />
      </>
    ),
  },
  failed: {
    className: 'text-loud-line',
    shape: (
      <>
        <rect x="2" y="2" width="12" height="12" rx="1.5" {...line} />
        <path d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2" {...glyph} />
      </>
    ),
  },
};

/** Shape and glyph, with the word in the text colour; `detail` follows the word. */
export function ExperimentMark({
  state,
  detail = null,
}: {
  state: ExperimentState;
  detail?: string | null;
}) {
  const { className, shape } = styles[state];
  return (
    <span className="text-ink inline-flex min-w-0 items-center gap-2 align-middle whitespace-nowrap">
      <svg
        width="14"
        height="14"
        viewBox="0 0 16 16"
        aria-hidden="true"
        className={`shrink-0 ${className}`}
      >
        {shape}
      </svg>
      <span className="truncate">
        {stateWords[state]}
        {detail === null ? null : <span className="text-ink-3">, {detail}</span>}
      </span>
    </span>
  );
}
