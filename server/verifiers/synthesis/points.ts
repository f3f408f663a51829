import { countCodePoints } from '../../domain';

const STRIDE = 4_096;

/** Converts UTF-16 indexes of a text to code points, in any order, reading the text once. */
export function createPoints(text: string): (unit: number) => number {
  let marks: readonly number[] | null = null;
  const read = (): readonly number[] => {
    if (!/[\ud800-\udfff]/.test(text)) return [];
    const counted = [0];
    for (let at = 0; at < text.length; at += STRIDE)
      counted.push((counted.at(-1) ?? 0) + unpaired(text, at, at + STRIDE));
    return counted;
  };
  return (unit) => {
    marks ??= read();
    if (marks.length === 0) return unit;
    const stride = Math.floor(unit / STRIDE);
    return (marks[stride] ?? 0) + unpaired(text, stride * STRIDE, unit);
  };
}

/**
 * Counts the code points that begin in a range: the second half of a pair that began before it does
 * not count.
 */
function unpaired(text: string, from: number, to: number): number {
  const isHalf =
    from > 0 &&
    /^[\udc00-\udfff]/.test(text.charAt(from)) &&
    /^[\ud800-\udbff]/.test(text.charAt(from - 1));
  return countCodePoints(text.slice(isHalf ? from + 1 : from, to));
}
