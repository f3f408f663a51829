/**
 * Random numbers that are reproducible from a printed seed (mulberry32). `ASSAY_SEED` replays a
 * run.
 */
export interface Random {
  readonly seed: number;
  /** 0 inclusive to 1 exclusive. */
  next(): number;
  /** Integer, both ends inclusive. */
  between(low: number, high: number): number;
  shuffle<T>(items: readonly T[]): T[];
}

/** Prints its seed, so that a failed run can be replayed. */
export function createRandom(name: string): Random {
  const seed = Number(process.env.ASSAY_SEED ?? Math.floor(Math.random() * 0xffff_ffff)) >>> 0;
  process.stdout.write(`${name}: seed ${seed}\n`);
  return randomFrom(seed);
}

/** Random numbers of the nth of many cases of a run, which can then be created alone. */
export function randomOf(seed: number, nth: number): Random {
  return randomFrom((seed ^ Math.imul(nth + 1, 0x9e37_79b1)) >>> 0);
}

function randomFrom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const between = (low: number, high: number): number =>
    low + Math.floor(next() * (high - low + 1));
  return {
    seed,
    next,
    between,
    shuffle(items) {
      return items
        .map((item) => ({ item, key: next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item);
    },
  };
}
