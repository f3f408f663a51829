import { countCodePoints, utf16Index } from '../../domain';
import { describeHidden, findHiddenText, withoutBase64 } from './hidden-text';

/** A text as a judge is shown it, and what was done to it. */
export interface ShownText {
  readonly text: string;
  /** Code points before anything was left out in the middle. */
  readonly length: number;
  /** Code points that were left out in the middle. */
  readonly leftOut: number;
  readonly base64Removed: number;
  /** In our words, for the judge. */
  readonly notes: readonly string[];
}

/**
 * Begin and end of an answer say more than its middle, and an order hidden at the end must not
 * crowd out the begin.
 */
const HEAD_SHARE = 0.6;

/**
 * At most `charsMax` code points of a text: runs of base64 are taken out (VS-19), and of what is
 * still too long the head and the tail are kept, with a line between them that says how much is
 * missing (S-30).
 */
export function showText(text: string, charsMax: number): ShownText {
  const { text: lean, runs: base64Removed } = withoutBase64(text);
  const length = countCodePoints(lean);
  const hidden = findHiddenText(text).filter(({ kind }) => kind !== 'base64');
  const notes = [
    ...(base64Removed > 0 ? [`${base64Removed} runs of base64 were left out`] : []),
    ...(hidden.length > 0
      ? [`it holds ${describeHidden(hidden)}, which are written as escapes or stand as they are`]
      : []),
  ];
  if (length <= charsMax) return { text: lean, length, leftOut: 0, base64Removed, notes };
  const head = Math.floor(charsMax * HEAD_SHARE);
  const leftOut = length - charsMax;
  const start = lean.slice(0, utf16Index(lean, head));
  const end = lean.slice(utf16Index(lean, head + leftOut));
  return {
    text: `${start}\n[${leftOut} characters left out here]\n${end}`,
    length,
    leftOut,
    base64Removed,
    notes: [
      ...notes,
      `${leftOut} of ${length} characters were left out in the middle: judge what is shown, and say where that does not suffice`,
    ],
  };
}
