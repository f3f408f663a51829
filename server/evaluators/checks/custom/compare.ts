import { isDeepStrictEqual } from 'node:util';
import type { CheckFinding } from '../check';

/** Text for a comparison that ignores case, Unicode form (NFKC) and the amount of white space. */
export const normalised = (text: string): string =>
  text.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean).join(' ');

/** The same for each text in a JSON value. Values are at most 64 levels deep. */
export function normalisedValue(value: unknown): unknown {
  if (typeof value === 'string') return normalised(value);
  if (Array.isArray(value)) return value.map(normalisedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, normalisedValue(member)]),
  );
}

/** Equal JSON; the order of members does not matter. */
export const sameJson = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);

/** Parses a string as JSON; undefined if it is not JSON. Returns any other value unchanged. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/** Similarity from which a check without `min` counts as met. */
const MET_FROM = 0.5;

/**
 * The finding for a similarity from 0 to 1. With `min`, the value is 1 or 0; without it, the value
 * is the similarity itself.
 */
export function similarityFinding(
  what: string,
  similarity: number,
  min: number | undefined,
): CheckFinding {
  const value = Math.min(1, Math.max(0, similarity));
  const met = value >= (min ?? MET_FROM);
  const shown = `${what} is ${value.toFixed(4)}`;
  return {
    value: min === undefined ? value : met ? 1 : 0,
    met,
    reasoning: min === undefined ? shown : `${shown}; at least ${min} is required`,
    evidence: [],
  };
}

/** The finding for an inclusive range. */
export function rangeFinding(
  what: string,
  amount: number,
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
): CheckFinding {
  const met = amount >= (min ?? -Infinity) && amount <= (max ?? Infinity);
  return {
    value: met ? 1 : 0,
    met,
    reasoning: `${what} is ${amount}; required: ${describeRange({ min, max })}`,
    evidence: [],
  };
}

export const describeRange = ({
  min,
  max,
}: {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}): string =>
  max === undefined
    ? `at least ${min ?? 0}`
    : min === undefined
      ? `at most ${max}`
      : `${min} to ${max}`;

/** Reports a range that is empty or has neither bound. */
export function rangeProblems({
  min,
  max,
}: {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}): { path: string[]; message: string }[] {
  if (min === undefined && max === undefined)
    return [{ path: ['max'], message: 'is required, or `min`' }];
  return min !== undefined && max !== undefined && min > max
    ? [{ path: ['min'], message: `must not be above \`max\` (${max})` }]
    : [];
}
