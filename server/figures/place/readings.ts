/**
 * The possible assignments of figures to names in a sentence (`Oslo`, `in March`), by their order.
 */

/** A range of text. */
export interface ReadingRange {
  readonly from: number;
  readonly to: number;
}

/** For each figure the index of its name, -1 if none. */
export type NameAssignment = readonly number[];

/**
 * The ways in which figures can belong to names: each to the name before it, each to the one after
 * it, pairwise in order ("Oslo and Bergen have 4 and 7"), and the same within figures of one
 * quantity. Both lists are in order. Linear in them.
 * @param groups figures of one quantity each, by their positions
 * @param inOrder the sentence states that they are in the same order
 */
export function readingsOf(
  figures: readonly ReadingRange[],
  names: readonly ReadingRange[],
  groups: readonly (readonly number[])[],
  inOrder = false,
): readonly NameAssignment[] {
  const [firstFigure, firstName] = [figures[0], names[0]];
  const [lastFigure, lastName] = [figures.at(-1), names.at(-1)];
  if (
    firstFigure === undefined ||
    firstName === undefined ||
    lastFigure === undefined ||
    lastName === undefined
  )
    return [];
  const ordered = inTurn(figures, names, groups);
  if (inOrder && ordered.length > 0) return ordered;
  const readings: NameAssignment[] = [];
  const opensWithName = firstName.from < firstFigure.from;
  const endsWithName = lastName.from > lastFigure.from;
  // If the sentence neither begins nor ends with a name, its first figure precedes its name: "At 4,
  // Oslo is below Bergen, which is at 7".
  if (opensWithName || !endsWithName) readings.push(before(figures, names));
  if (endsWithName || !opensWithName) readings.push(behind(figures, names));
  return [...readings, ...ordered];
}

/** Pairwise in order, for all figures or for those of each quantity. */
function inTurn(
  figures: readonly ReadingRange[],
  names: readonly ReadingRange[],
  groups: readonly (readonly number[])[],
): readonly NameAssignment[] {
  const readings: NameAssignment[] = [];
  if (figures.length === names.length) readings.push(figures.map((_, i) => i));
  // "From Q1 to Q2 gas rose by 4%, from 9 to 12, and power from 3 to 7".
  const extra = figures.length % names.length;
  if (figures.length > names.length && names.length > 1)
    readings.push(figures.map((_, i) => (i < extra ? -1 : (i - extra) % names.length)));
  if (groups.length > 1 && groups.every((group) => group.length === names.length)) {
    const reading = figures.map(() => -1);
    for (const group of groups) for (const [i, figure] of group.entries()) reading[figure] = i;
    readings.push(reading);
  }
  return readings;
}

function before(figures: readonly ReadingRange[], names: readonly ReadingRange[]): NameAssignment {
  let at = 0;
  return figures.map((figure) => {
    while (at + 1 < names.length && (names[at + 1]?.from ?? Infinity) < figure.from) at++;
    return at;
  });
}

function behind(figures: readonly ReadingRange[], names: readonly ReadingRange[]): NameAssignment {
  let at = 0;
  return figures.map((figure) => {
    while (at + 1 < names.length && (names[at]?.from ?? Infinity) < figure.from) at++;
    return at;
  });
}
