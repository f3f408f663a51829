import type { Row } from './row';

/** A figure whose interval does not overlap that of the stored run. */
export interface Moved {
  readonly figure: string;
  readonly before: string;
  readonly after: string;
  /** Null for a figure without a goal, for which neither direction is better. */
  readonly isBetter: boolean | null;
}

/**
 * The rows that moved between two runs of a bench. Rows whose intervals overlap have not moved, and
 * neither have rows without an interval.
 */
export function movedRows(before: readonly Row[], after: readonly Row[]): Moved[] {
  return after.flatMap((row) => {
    const stored = before.find(({ figure }) => figure === row.figure);
    if (stored === undefined || !areDisjoint(stored, row)) return [];
    return [
      {
        figure: row.figure,
        before: shown(stored),
        after: shown(row),
        isBetter: betterDirection(stored, row),
      },
    ];
  });
}

function areDisjoint(one: Row, other: Row): boolean {
  if (one.low === null || one.high === null || other.low === null || other.high === null)
    return false;
  return one.high < other.low || other.high < one.low;
}

function betterDirection(before: Row, after: Row): boolean | null {
  const sign = after.goal.startsWith('<') ? -1 : after.goal.startsWith('>') ? 1 : 0;
  return sign === 0 ? null : sign * ((after.low ?? 0) - (before.low ?? 0)) > 0;
}

const shown = ({ ratio, assay, low, high }: Row): string =>
  `${ratio ?? assay ?? '-'} [${low}, ${high}]`;

/** One line per figure, worse ones first. */
export function describeMoved(bench: string, moved: readonly Moved[]): string[] {
  const words = (isBetter: boolean | null): string =>
    isBetter === null ? 'moved' : isBetter ? 'better' : 'worse';
  return moved
    .toSorted((a, b) => Number(a.isBetter ?? true) - Number(b.isBetter ?? true))
    .map(
      ({ figure, before, after, isBetter }) =>
        `${words(isBetter)}: ${bench}: ${figure}: ${before} -> ${after}`,
    );
}
