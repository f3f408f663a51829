import type { ReactNode } from 'react';
import type { Trust } from '../_trpc/outputs';

type State = Trust['state'];

interface TrustStyle {
  readonly word: string;
  /** The meaning for its verdicts, in a sentence. */
  readonly meaning: string;
  /** Full class names, since Tailwind reads names from the source. */
  readonly textClass: string;
  readonly shape: ReactNode;
}

const outline = 'M8 1.2 14 3.4v4.3c0 3.4-2.4 5.9-6 7.1-3.6-1.2-6-3.7-6-7.1V3.4z';

/**
 * The only place that defines the style of trust: a shield in four shapes, so that no state is
 * distinguished by colour alone.
 */
export const trustStyles: Record<State, TrustStyle> = {
  unmeasured: {
    word: 'Unmeasured',
    meaning: 'There are too few labels to measure how often it is right.',
    textClass: 'text-pending',
    shape: (
      <path
        d={outline}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeDasharray="2.4 2"
      />
    ),
  },
  provisional: {
    word: 'Provisional',
    meaning: 'It is measured, but its labels do not yet show that it meets its targets.',
    textClass: 'text-review',
    shape: (
      <>
        <path
          d={outline}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.4"
          strokeLinejoin="round"
        />
        <path d="M8 1.2v13.6c-3.6-1.2-6-3.7-6-7.1V3.4z" fill="currentColor" />
      </>
    ),
  },
  qualified: {
    word: 'Qualified',
    meaning: 'Its labels show that it meets its targets.',
    textClass: 'text-pass',
    shape: (
      <>
        <path d={outline} fill="currentColor" />
        <path
          d="m5 7.9 2.2 2.2 3.9-4.3"
          fill="none"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-glyph"
        />
      </>
    ),
  },
  stale: {
    word: 'Stale',
    meaning: 'It was measured, but something changed since: its labels are out of date.',
    textClass: 'text-error',
    shape: (
      <>
        <path
          d={outline}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.4"
          strokeLinejoin="round"
        />
        <path
          d="M8 4.4v4m0 2.3v.1"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.7"
          strokeLinecap="round"
        />
      </>
    ),
  },
};

/** Only the shape: put the word next to it, or use `TrustMark`. */
function TrustIcon({ state, size = 14 }: { state: State; size?: number }) {
  const style = trustStyles[state];
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`shrink-0 self-center ${style.textClass}`}
    >
      {style.shape}
    </svg>
  );
}

interface TrustMarkProps {
  trust: Pick<Trust, 'state' | 'enforced' | 'mayBlock'>;
  /** Text before the word, where no context shows that it is about trust. */
  lead?: string;
}

/**
 * The trust of a verifier as a shape and a word, and whether it only advises, where trust is
 * enforced.
 */
export function TrustMark({ trust: { state, mayBlock }, lead }: TrustMarkProps) {
  return (
    <span className="text-ink inline-flex items-baseline gap-1.5 whitespace-nowrap">
      <TrustIcon state={state} />
      <span>
        {lead === undefined ? null : <span className="sr-only">{lead} </span>}
        {trustStyles[state].word}
        {mayBlock ? null : <span className="text-ink-2">, advises only</span>}
      </span>
    </span>
  );
}

/**
 * In a dense row: the shape next to the verifier's name, with its word for screen readers and on
 * hover.
 */
export function TrustGlyph({ trust }: { trust: Trust | undefined }) {
  if (trust === undefined) return null;
  const label = `${trustStyles[trust.state].word.toLowerCase()}${trust.mayBlock ? '' : ', advises only'}`;
  return (
    <span className="inline-flex align-[-2px]" title={label}>
      <TrustIcon state={trust.state} size={13} />
      <span className="sr-only"> (trust: {label}) </span>
    </span>
  );
}
