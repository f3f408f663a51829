/**
 * The rounds of every bench (performance.md 4.0): ratios within a round, the first round discarded,
 * median and interval.
 */

/**
 * The number of bootstrap resamples, and the fixed seed, so that the same rounds yield the same
 * result.
 */
const resamples = 10_000;
const seed = 20_261_121;

export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /**
   * IQR of the baseline's rounds divided by their median: above 0.25 the machine was too noisy for
   * a verdict.
   */
  readonly noise: number;
}

/**
 * Median of the ratios of Assay to the baseline, round by round, with a bootstrap 95 % interval.
 */
export function ratioOf(values: readonly number[], baseline: readonly number[]): Ratio {
  const ratios = values.map((value, round) => value / (baseline[round] ?? Number.NaN));
  const random = mulberry32(seed);
  const medians = Array.from({ length: resamples }, () =>
    median(ratios.map(() => ratios[Math.floor(random() * ratios.length)] ?? 0)),
  ).sort((a, b) => a - b);
  const sorted = [...baseline].sort((a, b) => a - b);
  return {
    median: median(ratios),
    low: medians[Math.floor(resamples * 0.025)] ?? Number.NaN,
    high: medians[Math.floor(resamples * 0.975)] ?? Number.NaN,
    noise: (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median(baseline),
  };
}

export function median(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** Of values in any order. */
export function quantileOf(values: readonly number[], at: number): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    at,
  );
}

export function quantile(sorted: readonly number[], at: number): number {
  const place = (sorted.length - 1) * at;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** The figures of one round of a contender, by name. */
export type Measures = Readonly<Record<string, number>>;

export interface Contender {
  readonly name: string;
  /**
   * Runs one round.
   * @throws Error for a wrong answer, which voids the whole run
   */
  run(round: number): Promise<Measures>;
}

/**
 * Figures of one contender, one value per round that counts, in the order of the rounds for all
 * contenders.
 */
export type Measured = (contender: string, figure: string) => readonly number[];

export interface Rounds {
  /** Rounds that count. */
  readonly rounds: number;
  /** Rounds that run before them and are discarded: one, or none if no figure is measured. */
  readonly discarded: number;
  /** Called before each round; prepares data that the contenders of the round share. */
  readonly prepare?: (round: number) => Promise<void>;
  /** Receives one line per round. */
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/**
 * Runs contenders in rounds, each round in a new random order. The very first round keeps the given
 * order.
 */
export async function runRounds(
  row: string,
  contenders: readonly Contender[],
  options: Rounds,
): Promise<Measured> {
  const values = new Map<string, number[]>();
  for (let round = 0; round < options.rounds + options.discarded; round++) {
    await options.prepare?.(round);
    const line: Record<string, unknown> = { row, round, counts: round >= options.discarded };
    for (const contender of round === 0 ? contenders : shuffled(contenders)) {
      const measures = await contender.run(round);
      line[contender.name] = Object.fromEntries(
        Object.entries(measures).map(([name, value]) => [name, rounded(value)]),
      );
      if (round < options.discarded) continue;
      for (const [figure, value] of Object.entries(measures)) {
        const key = `${contender.name} ${figure}`;
        values.set(key, [...(values.get(key) ?? []), value]);
      }
    }
    options.log(line);
  }
  return (contender, figure) => {
    const found = values.get(`${contender} ${figure}`);
    if (found === undefined) throw new Error(`${row}: no figure "${figure}" of ${contender}`);
    return found;
  };
}

/** Rounds to three significant digits, but keeps all digits before the decimal point. */
export function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
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
