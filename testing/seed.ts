/** Random numbers that are reproducible from a printed seed (mulberry32). */
export interface Random {
  readonly seed: number;
  /** 0 inclusive to 1 exclusive. */
  next(): number;
  /** Integer, both ends inclusive. */
  between(low: number, high: number): number;
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * The seed depends only on the name, so that a test fails on every attempt or on none. In the long
 * form (`ASSAY_LONG=1`) it is random. `ASSAY_SEED` replays a run: the seed is printed.
 */
export function createRandom(name: string): Random {
  const chosen = process.env.ASSAY_LONG === '1' ? Math.floor(Math.random() * 2 ** 32) : hash(name);
  const seed = Number(process.env.ASSAY_SEED ?? chosen) >>> 0;
  process.stdout.write(`${name}: seed ${seed}\n`);
  return randomFrom(seed);
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let sum = 0x811c_9dc5;
  for (const byte of Buffer.from(text)) sum = Math.imul(sum ^ byte, 0x0100_0193);
  return sum;
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
