/**
 * What every bench does with its rounds (performance.md 4.0): ratios inside a round, the first
 * round thrown away, median and interval.
 */

/** Bootstrap resamples, and the fixed seed that makes a result repeatable from the same rounds. */
const resamples = 10_000;
const seed = 20_261_121;

export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /**
   * IQR of the baseline's own rounds over their median: over 0.25 the machine was too noisy for a
   * verdict.
   */
  readonly noise: number;
}

/** Median of ours over baseline, round by round, with a bootstrap 95 % interval. */
export function ratioOf(ours: readonly number[], baseline: readonly number[]): Ratio {
  const ratios = ours.map((value, round) => value / (baseline[round] ?? Number.NaN));
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

/** A contender's round: its figures by name. */
export type Measures = Readonly<Record<string, number>>;

export interface Contender {
  readonly name: string;
  /** Runs one round. @throws Error when an answer is wrong: that voids the whole run */
  run(round: number): Promise<Measures>;
}

/**
 * Figures of one contender, one value a round that counts; rounds are at the same place for all
 * contenders.
 */
export type Measured = (contender: string, figure: string) => readonly number[];

export interface Rounds {
  /** Rounds that count. */
  readonly rounds: number;
  /** Rounds that are run before them and thrown away: one, or none where no figure is wanted. */
  readonly discarded: number;
  /** Before each round: what the contenders of this round share. */
  readonly prepare?: (round: number) => Promise<void>;
  /** Takes one line a round. */
  readonly say: (line: Readonly<Record<string, unknown>>) => void;
}

/**
 * Runs contenders in rounds, each round in an order drawn again. The very first keeps the order
 * given.
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
    options.say(line);
  }
  return (contender, figure) => {
    const found = values.get(`${contender} ${figure}`);
    if (found === undefined) throw new Error(`${row}: no figure "${figure}" of ${contender}`);
    return found;
  };
}

/** Three significant digits and all before the point. */
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
