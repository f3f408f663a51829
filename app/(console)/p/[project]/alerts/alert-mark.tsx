import type { ReactNode } from 'react';
import type { Alert } from '@/app/_trpc/outputs';

interface AlertStyle {
  readonly word: string;
  readonly shape: ReactNode;
  readonly className: string;
}

/**
 * The only place that defines the style of an alert: its shapes differ from those of verdicts,
 * since an alert judges no answer.
 */
const alertStyles: Record<Alert['state'], AlertStyle> = {
  alerting: {
    word: 'Alerting',
    className: 'text-loud-line',
    shape: (
      <>
        <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z" fill="currentColor" />
        <path
          d="M8 4.4v4.2m0 2.7v.1"
          fill="none"
          className="stroke-glyph"
          strokeWidth="1.9"
          strokeLinecap="round"
        />
      </>
    ),
  },
  no_data: {
    word: 'No data',
    className: 'text-ink-3',
    shape: (
      <rect
        x="2"
        y="2"
        width="12"
        height="12"
        rx="1.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray="2.8 2"
      />
    ),
  },
  ok: {
    word: 'OK',
    className: 'text-ink-2',
    shape: (
      <>
        <path
          d="M5.1 1.8h5.8l3.3 3.3v5.8l-3.3 3.3H5.1l-3.3-3.3V5.1z"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.4"
        />
        <path
          d="m5.2 8.2 2 2 3.7-4.2"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </>
    ),
  },
};

/** Shape and glyph, with the word in the text colour. */
export function AlertMark({ state, word }: { state: Alert['state']; word?: string | undefined }) {
  const style = alertStyles[state];
  return (
    <span className="text-ink inline-flex items-center gap-2 align-middle whitespace-nowrap">
      <svg
        width="14"
        height="14"
        viewBox="0 0 16 16"
        aria-hidden="true"
        className={`shrink-0 ${style.className}`}
      >
        {style.shape}
      </svg>
      <span>{word ?? style.word}</span>
    </span>
  );
}
