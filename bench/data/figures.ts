import { z } from 'zod';

/** Figures in the shape of `expected.json`: numbers, by names. */
export interface Figures {
  readonly [name: string]: number | null | Figures;
}

export interface Compared {
  readonly set: string;
  /** Its names, the outermost first. */
  readonly figure: string;
  /**
   * Counts unchanged, other numbers to the fourth decimal, as the expected numbers are; null if
   * there is none.
   */
  readonly actual: string | null;
  readonly expected: string | null;
}

/** Every number of either side. One that only one side has is different. */
export function compareFigures(set: string, actual: Figures, expected: unknown): Compared[] {
  const [actualValues, expectedValues] = [flatten(actual), flatten(Expected.parse(expected))];
  return [...new Set([...expectedValues.keys(), ...actualValues.keys()])].map((figure) => {
    const expectedValue = expectedValues.get(figure) ?? null;
    const actualValue = actualValues.get(figure) ?? null;
    return {
      set,
      figure,
      actual: text(actualValue, expectedValue),
      expected: text(expectedValue, actualValue),
    };
  });
}

const Expected: z.ZodType<Figures> = z.lazy(() =>
  z.record(z.string(), z.union([z.number(), Expected])),
);

function flatten(figures: Figures, path: readonly string[] = []): Map<string, number | null> {
  return new Map(
    Object.entries(figures).flatMap(([name, value]): [string, number | null][] =>
      typeof value === 'object' && value !== null
        ? [...flatten(value, [...path, name])]
        : [[[...path, name].join(' · '), value]],
    ),
  );
}

function text(value: number | null, other: number | null): string | null {
  if (value === null) return null;
  return Number.isInteger(value) && (other === null || Number.isInteger(other))
    ? String(value)
    : value.toFixed(4);
}
