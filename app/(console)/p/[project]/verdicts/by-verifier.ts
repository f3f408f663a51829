import type { MarkCount, VerdictRow } from '@/app/_trpc/outputs';
import { readVerifierName } from '@/server/domain';

/** The verdicts of one verifier, newest first, those of earlier revisions last. */
export interface VerifierGroup {
  readonly verifier: string;
  readonly rows: readonly VerdictRow[];
  /** Of the latest revisions only. */
  readonly counts: readonly MarkCount[];
}

/** Groups verdicts by verifier, regardless of its version, in the order of the names. */
export function groupByVerifier(rows: readonly VerdictRow[]): VerifierGroup[] {
  const verifierOf = (row: VerdictRow) => readVerifierName(row.verifier).slug;
  return unique(rows.map(verifierOf))
    .toSorted()
    .map((verifier) => {
      const verifierRows = rows
        .filter((row) => verifierOf(row) === verifier)
        .toSorted(currentAndNewestFirst);
      return { verifier, rows: verifierRows, counts: countStates(verifierRows) };
    });
}

const currentAndNewestFirst = (a: VerdictRow, b: VerdictRow): number =>
  Number(a.superseded) - Number(b.superseded) || b.settledAt.getTime() - a.settledAt.getTime();

function countStates(rows: readonly VerdictRow[]): MarkCount[] {
  const outcomes = rows.filter(({ superseded }) => !superseded).map(({ outcome }) => outcome);
  return unique(outcomes).map((state) => ({
    state,
    count: outcomes.filter((outcome) => outcome === state).length,
  }));
}

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
