import type { ReactNode } from 'react';
import { type VerdictStyle, type VerdictState, verdictStyles } from './verdict-styles';

const shapes: Record<VerdictStyle['shape'], ReactNode> = {
  circle: <circle cx="8" cy="8" r="7" fill="currentColor" />,
  square: <rect x="1.5" y="1.5" width="13" height="13" rx="1.5" fill="currentColor" />,
  diamond: <path d="M8 .4 15.6 8 8 15.6 .4 8z" fill="currentColor" />,
  triangle: (
    <path
      d="M8 1.8 15 14.2H1z"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
    />
  ),
  dash: <path d="M3 8h10" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />,
  ring: (
    <circle
      cx="8"
      cy="8"
      r="6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray="2.6 2.1"
    />
  ),
  person: (
    <path
      d="M8 8.2a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.4 14.4c.3-3.2 2.6-5 5.6-5s5.3 1.8 5.6 5z"
      fill="currentColor"
    />
  ),
};

/**
 * Glyphs on filled shapes are cut out in the page's background; on outlined ones they take the
 * shape's colour.
 */
const glyphs: Record<VerdictStyle['glyph'], ReactNode> = {
  check: <path d="m4.9 8.3 2.2 2.2 4.1-4.7" className="stroke-glyph" />,
  cross: <path d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6" className="stroke-glyph" />,
  question: (
    <path d="M6.3 6.4a1.75 1.75 0 1 1 2.6 1.5c-.6.35-.9.7-.9 1.3m0 2v.1" className="stroke-glyph" />
  ),
  turn: <path d="M4.6 8.2h6M8.4 5.8l2.4 2.4-2.4 2.4" className="stroke-glyph" />,
  exclamation: <path d="M8 6.2v3.6m0 2.1v.1" className="stroke-current" />,
  none: null,
};

/** Only shape and glyph: put the word next to it, or use VerdictMark. */
export function VerdictIcon({ state, size = 14 }: { state: VerdictState; size?: number }) {
  const style = verdictStyles[state];
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`shrink-0 self-center ${style.textClass}`}
    >
      {shapes[style.shape]}
      <g fill="none" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round">
        {glyphs[style.glyph]}
      </g>
    </svg>
  );
}

interface VerdictMarkProps {
  state: VerdictState;
  /** Another word than the state's: `3 sourced`. */
  word?: string | null;
  size?: number;
}

export function VerdictMark({ state, word, size = 14 }: VerdictMarkProps) {
  return (
    <span className="text-ink inline-flex items-center gap-2 whitespace-nowrap">
      <VerdictIcon state={state} size={size} />
      <span>{word ?? verdictStyles[state].word}</span>
    </span>
  );
}
