import type { Outcome } from '@/server/domain';

export type VerdictState = Outcome | 'pending' | 'overridden';

/** The state of stored work: quarantined work has no verdict because its verifier failed. */
export type StoredState = Outcome | 'pending' | 'quarantined';

/**
 * The four signals of a state (ui.md): shape, glyph, word, colour. The word always has the text
 * colour.
 */
export interface VerdictStyle {
  readonly word: string;
  readonly shape: 'circle' | 'square' | 'diamond' | 'triangle' | 'dash' | 'ring' | 'person';
  readonly glyph: 'check' | 'cross' | 'question' | 'turn' | 'exclamation' | 'none';
  /** Token of app/globals.css: `--color-<token>`. */
  readonly token: 'pass' | 'fail' | 'review' | 'error' | 'skipped' | 'pending';
  /** A full class name, since Tailwind reads names from the source. */
  readonly textClass: string;
  /** In a chart, hatching distinguishes two states of one hue. */
  readonly hatched: boolean;
}

/** The only place that defines the style of a verdict. */
export const verdictStyles: Record<VerdictState, VerdictStyle> = {
  passed: {
    word: 'Passed',
    shape: 'circle',
    glyph: 'check',
    token: 'pass',
    textClass: 'text-pass',
    hatched: false,
  },
  failed: {
    word: 'Failed',
    shape: 'square',
    glyph: 'cross',
    token: 'fail',
    textClass: 'text-fail',
    hatched: false,
  },
  needs_review: {
    word: 'Needs review',
    shape: 'diamond',
    glyph: 'question',
    token: 'review',
    textClass: 'text-review',
    hatched: false,
  },
  steered: {
    word: 'Steered',
    shape: 'diamond',
    glyph: 'turn',
    token: 'review',
    textClass: 'text-review',
    hatched: true,
  },
  inconclusive: {
    word: 'Inconclusive',
    shape: 'triangle',
    glyph: 'exclamation',
    token: 'error',
    textClass: 'text-error',
    hatched: true,
  },
  skipped: {
    word: 'Skipped',
    shape: 'dash',
    glyph: 'none',
    token: 'skipped',
    textClass: 'text-skipped',
    hatched: false,
  },
  pending: {
    word: 'Pending',
    shape: 'ring',
    glyph: 'none',
    token: 'pending',
    textClass: 'text-pending',
    hatched: false,
  },
  overridden: {
    word: 'Overridden',
    shape: 'person',
    glyph: 'none',
    token: 'error',
    textClass: 'text-error',
    hatched: false,
  },
};

/** Order of outcomes everywhere: those that need a person first, passes last. */
export const outcomeOrder = [
  'failed',
  'needs_review',
  'inconclusive',
  'steered',
  'skipped',
  'passed',
] as const satisfies readonly Outcome[];

/** Quarantined work is shown as inconclusive. */
export function shownState(state: StoredState): VerdictState {
  return state === 'quarantined' ? 'inconclusive' : state;
}

export function wordOf(state: StoredState): string {
  return state === 'quarantined' ? 'Quarantined' : verdictStyles[state].word;
}
