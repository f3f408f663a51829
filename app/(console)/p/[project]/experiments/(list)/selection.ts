import type { ExperimentRow } from '@/app/_trpc/outputs';

/** As many as one comparison takes. */
export const runsMax = 6;

/** The selected rows, oldest first: the first one is the baseline. */
export function selectedRuns(
  rows: readonly ExperimentRow[],
  chosen: ReadonlySet<string>,
): readonly ExperimentRow[] {
  return rows
    .filter(({ id }) => chosen.has(id))
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** Whether the row may be added to, or removed from, the selection. */
export function canChoose(
  row: Pick<ExperimentRow, 'id' | 'datasetId'>,
  selected: readonly Pick<ExperimentRow, 'id' | 'datasetId'>[],
): boolean {
  if (selected.some(({ id }) => id === row.id)) return true;
  return (
    selected.length < runsMax && selected.every(({ datasetId }) => datasetId === row.datasetId)
  );
}
