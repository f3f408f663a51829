import type { Evidence } from '../../domain';

const TEXT_MAX = 200;
const SURROGATE = /[\uD800-\uDFFF]/;

/**
 * Evidence for ranges of a text, given as UTF-16 indices; positions are code points, counted in one
 * pass over the text.
 */
export function evidenceAt(
  text: string,
  places: readonly { readonly start: number; readonly end: number }[],
): Evidence[] {
  if (places.length === 0) return [];
  const pointsAt = SURROGATE.test(text) ? countAt(text, places) : (index: number) => index;
  return places.map(({ start, end }) => ({
    kind: 'quote',
    ref: `output:${pointsAt(start)}-${pointsAt(end)}`,
    text: text.slice(start, Math.min(end, start + TEXT_MAX)).toWellFormed(),
  }));
}

function countAt(
  text: string,
  places: readonly { readonly start: number; readonly end: number }[],
): (index: number) => number {
  const points = new Map<number, number>();
  let index = 0;
  let seen = 0;
  for (const target of places.flatMap(({ start, end }) => [start, end]).toSorted((a, b) => a - b)) {
    while (index < target) {
      index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
      seen++;
    }
    points.set(target, seen);
  }
  return (target) => points.get(target) ?? 0;
}
