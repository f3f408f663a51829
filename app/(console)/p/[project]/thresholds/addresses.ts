import {
  createParser,
  createSerializer,
  parseAsFloat,
  parseAsNumberLiteral,
  parseAsString,
} from 'nuqs/server';
import type { Days } from '@/server/measures/input';
import { periods } from '../calibration/addresses';

/** A value for another key of the same verifier, to be applied together with the current one. */
export interface StagedValue {
  readonly key: string;
  readonly value: number;
}

const longestList = 20;

/** `fail_threshold:0.35,confidence_threshold:0.6`; invalid parts are omitted. */
export function readStaged(text: string): StagedValue[] {
  return text
    .split(',')
    .slice(0, longestList)
    .flatMap((part) => {
      const [, key = '', number = ''] = /^([a-z_]{1,100}):(-?\d+(?:\.\d+)?)$/.exec(part) ?? [];
      return key === '' ? [] : [{ key, value: Number(number) }];
    });
}

const writeStaged = (staged: readonly StagedValue[]): string =>
  staged.map(({ key, value }) => `${key}:${value}`).join(',');

const parseAsStaged = createParser<readonly StagedValue[]>({
  parse: readStaged,
  serialize: writeStaged,
  eq: (one, other) => writeStaged(one) === writeStaged(other),
});

/**
 * The whole state of the thresholds page is in its URL: a candidate value can be sent to a
 * colleague before it is applied.
 */
export const thresholdParsers = {
  verifier: parseAsString,
  key: parseAsString,
  /** The candidate; absent: the current value. */
  value: parseAsFloat,
  mission: parseAsString,
  task: parseAsString,
  days: parseAsNumberLiteral(periods).withDefault(30),
  staged: parseAsStaged.withDefault([]),
  /** Cost of a missed failure, a false rejection and a review, in the reader's own unit. */
  miss: parseAsFloat.withDefault(10),
  reject: parseAsFloat.withDefault(1),
  review: parseAsFloat.withDefault(1),
};

export interface ThresholdAddress {
  readonly verifier: string | null;
  readonly key: string | null;
  readonly value: number | null;
  readonly mission: string | null;
  readonly task: string | null;
  readonly days: Days;
  readonly staged: readonly StagedValue[];
  readonly miss: number;
  readonly reject: number;
  readonly review: number;
}

const thresholdQuery: (address: Partial<ThresholdAddress>) => string =
  createSerializer(thresholdParsers);

export function thresholdHref(project: string, address: Partial<ThresholdAddress>): string {
  return `/p/${project}/thresholds${thresholdQuery(address)}`;
}

/** Every verdict that the value would change. */
export function flipsHref(
  project: string,
  { verifier, key, value, mission, task, days }: Omit<ThresholdAddress, 'staged'>,
): string {
  return `/p/${project}/thresholds/flips${thresholdQuery({ verifier, key, value, mission, task, days })}`;
}

/**
 * The page for another key: its value is taken from the staged ones, and the previous key's value
 * is staged instead.
 */
export function switchKey(address: ThresholdAddress, key: string): ThresholdAddress {
  if (key === address.key) return address;
  const { staged, key: before, value } = address;
  const otherStaged = staged.filter((each) => each.key !== key && each.key !== before);
  return {
    ...address,
    key,
    value: staged.find((each) => each.key === key)?.value ?? null,
    staged:
      before === null || value === null ? otherStaged : [...otherStaged, { key: before, value }],
  };
}

/** The highest price that the server accepts. */
export const maxPrice = 1e6;

/** Input of the simulation. */
export function simulateBody(
  { mission, task, days, miss, reject, review }: ThresholdAddress,
  values: readonly number[],
) {
  const price = (value: number): number => Math.min(maxPrice, Math.max(0, value));
  return {
    values: [...values],
    scope: { mission_id: mission, task_id: task },
    days,
    prices: { missed: price(miss), rejected: price(reject), review: price(review) },
  };
}
