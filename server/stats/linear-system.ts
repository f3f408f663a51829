/**
 * The inverse of a small square matrix by Gauss-Jordan elimination with row exchange, for the
 * designs of regression.ts, which have few terms. Null if it is singular to a relative 1e-12.
 */
export function inverse(matrix: readonly (readonly number[])[]): number[][] | null {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [
    ...row,
    ...Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)),
  ]);
  const scale = Math.max(0, ...matrix.flat().map(Math.abs));
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let i = column; i < n; i++)
      if (Math.abs(at(rows, i, column)) > Math.abs(at(rows, pivot, column))) pivot = i;
    const by = at(rows, pivot, column);
    if (!(Math.abs(by) > scale * 1e-12)) return null;
    [rows[column], rows[pivot]] = [rows[pivot] ?? [], rows[column] ?? []];
    const top = (rows[column] ?? []).map((value) => value / by);
    rows[column] = top;
    for (let i = 0; i < n; i++) {
      const factor = at(rows, i, column);
      if (i !== column && factor !== 0)
        rows[i] = (rows[i] ?? []).map((value, j) => value - factor * (top[j] ?? 0));
    }
  }
  return rows.map((row) => row.slice(n));
}

export function times(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map((row) => dot(row, vector));
}

export function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}
