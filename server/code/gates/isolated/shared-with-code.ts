// Tests that share more with the code than values: in a box of their own they would not test it.

/** What shows it in the source of a test, and what such tests do. */
export type SharedPattern = readonly [RegExp, string];

/** @returns what the tests do, by the first pattern that matches; null where none does */
export function findShared(
  patterns: readonly SharedPattern[],
  sources: readonly string[],
): string | null {
  return patterns.find(([pattern]) => sources.some((source) => pattern.test(source)))?.[1] ?? null;
}

/** @param what they do, as the rest of "Tests that …" */
export const cannotBeIsolated = (what: string): string =>
  `Tests that ${what} cannot be isolated from it: leave out "isolated" to run them in one process.`;
