import { remembered } from '../remembered';

/**
 * Units of one measure, for values stored in one and shown in another: `price_cents`, `latency_ms`,
 * `size_bytes`, `rate_bps`. The factor is the number of smallest units; bytes and their multiples
 * count by 1000 and by 1024.
 */
const MEASURES: readonly (readonly (readonly [factors: readonly number[], words: string])[])[] = [
  [
    [[1e-9], 'ns nanos nanosecond nanoseconds'],
    [[1e-6], 'us µs μs micros microsecond microseconds'],
    [[1e-3], 'ms msec millis millisecond milliseconds'],
    [[1], 's sec secs second seconds'],
    [[60], 'min mins minute minutes'],
    [[3_600], 'h hr hrs hour hours'],
    [[86_400], 'd day days'],
    [[604_800], 'w wk week weeks'],
  ],
  [
    [[1], 'bytes byte'],
    [[1e3, 2 ** 10], 'kb kilobyte kilobytes'],
    [[1e6, 2 ** 20], 'mb megabyte megabytes'],
    [[1e9, 2 ** 30], 'gb gigabyte gigabytes'],
    [[1e12, 2 ** 40], 'tb terabyte terabytes'],
    [[1e15, 2 ** 50], 'pb'],
    [[2 ** 10], 'kib ki'],
    [[2 ** 20], 'mib mi'],
    [[2 ** 30], 'gib gi'],
    [[2 ** 40], 'tib ti'],
  ],
  [
    [[1], 'bps'],
    [[1e3], 'kbps'],
    [[1e6], 'mbps'],
    [[1e9], 'gbps'],
  ],
  [
    [[1], 'bps bp bips'],
    [[100], '% pct percent percentage'],
  ],
  [
    [[1], 'cents cent pence ct'],
    [[100], 'money'],
    [[1e5], 'k thousand thousands'],
    [[1e8], 'millions million mn'],
    [[1e11], 'billions billion bn'],
  ],
  [
    [[1], 'count'],
    [[1e3], 'k thousand thousands'],
    [[1e6], 'millions million mn'],
    [[1e9], 'billions billion bn'],
  ],
  [
    [[1], 'hz'],
    [[1e3], 'khz'],
    [[1e6], 'mhz'],
    [[1e9], 'ghz'],
  ],
  [
    [[1], 'w watt watts'],
    [[1e3], 'kw kilowatt kilowatts'],
    [[1e6], 'mw megawatt megawatts'],
    [[1e9], 'gw'],
  ],
  [
    [[1], 'wh'],
    [[1e3], 'kwh'],
    [[1e6], 'mwh'],
    [[1e9], 'gwh'],
  ],
];

/** Units of figures that differ from another one only by capitals. */
const CASED: ReadonlyMap<string, string> = new Map([
  ['mW', ''],
  ['Mb', ''],
  ['Gb', ''],
  ['Kb', ''],
  ['b', ''],
  ['B', 'bytes'],
  ['D', ''],
  ['H', ''],
  ['W', 'watts'],
  ['K', ''],
]);

/** A unit at the end of a name, and the number of them in the figure's unit. */
export interface ScaledUnit {
  readonly unit: string;
  readonly factor: number;
}

const scaled: ReadonlyMap<string, readonly ScaledUnit[]> = byUnit();

function byUnit(): ReadonlyMap<string, readonly ScaledUnit[]> {
  const found = new Map<string, ScaledUnit[]>();
  for (const measure of MEASURES) {
    const units = measure.flatMap(([factors, words]) =>
      words.split(' ').map((unit) => ({ unit, factors })),
    );
    for (const from of units) {
      const others = found.get(from.unit) ?? [];
      found.set(from.unit, others);
      for (const to of units) {
        const factors = new Set(from.factors.flatMap((a) => to.factors.map((b) => a / b)));
        factors.delete(1);
        for (const factor of factors) others.push({ unit: to.unit, factor });
      }
    }
  }
  return found;
}

/**
 * The factors for values under names of other units of the same measure; empty for a unit without a
 * measure.
 */
export function scaledUnits(unit: string): readonly ScaledUnit[] {
  return scaled.get(CASED.get(unit) ?? unit.toLowerCase()) ?? [];
}

const NAME_LENGTH_MAX = 80;

/**
 * The last word of a key in lower case: `ms` of `latency_ms`, `p95LatencyMs` and `latency (ms)`.
 */
export const lastPart = remembered((name): string => {
  const parts = name
    .slice(-NAME_LENGTH_MAX)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .match(/[\p{L}%°]+/gu);
  return (parts?.at(-1) ?? '').toLowerCase();
});
