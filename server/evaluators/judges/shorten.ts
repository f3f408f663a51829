import { countCodePoints, utf16Index } from '../../domain';
import { describeHidden, findHiddenText, withoutBase64 } from './hidden-text';

/** A text as shown to a judge, and how it was changed. */
export interface ShownText {
  readonly text: string;
  /** Code points before the middle was omitted. */
  readonly length: number;
  /** Code points omitted in the middle. */
  readonly leftOut: number;
  readonly base64Removed: number;
  /** For the judge, in our own words. */
  readonly notes: readonly string[];
}

/**
 * The start and end of an answer matter more than its middle, and an instruction hidden at the end
 * must not crowd out the start.
 */
const HEAD_SHARE = 0.6;

/**
 * At most `charsMax` code points of a text: runs of base64 are removed (VS-19); of a text that is
 * still too long the head and the tail are kept, with a line between them that states the omitted
 * length (S-30).
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
