// Tests that share more with the code than values: isolated, they would not test it.

/** The pattern in the source of a test, and a description of such tests. */
export type SharedPattern = readonly [RegExp, string];

/** @returns the description for the first pattern that matches; null if none does */
export function findShared(
  patterns: readonly SharedPattern[],
  sources: readonly string[],
): string | null {
  return patterns.find(([pattern]) => sources.some((source) => pattern.test(source)))?.[1] ?? null;
}

/** @param what the description, as the rest of "Tests that …" */
export const cannotBeIsolated = (what: string): string =>
  `Tests that ${what} cannot be isolated from it: leave out "isolated" to run them in one process.`;
