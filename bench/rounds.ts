/** What every bench does with its rounds (performance.md 4.0): ratios inside a round, the first round thrown away, median and interval. */

/** Bootstrap resamples, and the fixed seed that makes a result repeatable from the same rounds. */
const resamples = 10_000;
const seed = 20_261_121;

export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** IQR of the baseline's own rounds over their median: over 0.25 the machine was too noisy for a verdict. */
  readonly noise: number;
}

/** Median of ours over baseline, round by round, with a bootstrap 95 % interval. */
export function ratioOf(ours: readonly number[], baseline: readonly number[]): Ratio {
  const ratios = ours.map((value, round) => value / (baseline[round] ?? Number.NaN));
  const random = mulberry32(seed);
  const medians = Array.from({ length: resamples }, () => median(ratios.map(() => ratios[Math.floor(random() * ratios.length)] ?? 0))).sort(
    (a, b) => a - b,
  );
  const sorted = [...baseline].sort((a, b) => a - b);
  return {
    median: median(ratios),
    low: medians[Math.floor(resamples * 0.025)] ?? Number.NaN,
    high: medians[Math.floor(resamples * 0.975)] ?? Number.NaN,
    noise: (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median(baseline),
  };
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

export function quantile(sorted: readonly number[], at: number): number {
  const place = (sorted.length - 1) * at;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

function mulberry32(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The figures of a bench as a table: figure | floor | Assay | ratio [interval] | goal | met. */
export function printRow(name: string, floor: string, ours: string, ratio: Ratio, goal: number): string {
  const verdict = ratio.noise > 0.25 ? 'noisy, no verdict' : ratio.low >= goal ? 'met' : 'not met';
  return `${name} | ${floor} | ${ours} | ${ratio.median.toFixed(2)} [${ratio.low.toFixed(2)}, ${ratio.high.toFixed(2)}] | >= ${goal} | ${verdict}`;
}
