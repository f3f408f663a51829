/**
 * The only source of randomness for all statistics: sfc32 (Chris Doty-Humphrey, PractRand), 128
 * bits of state, seeded through splitmix32. The same seed yields the same numbers on every machine,
 * which makes displayed intervals reproducible.
 */
export type Random = () => number;

/** Uniform in [0, 1), 32 bits each. @param seed any integer; `seedOf` derives one from a text */
export function createRandom(seed: number): Random {
  let mixed = seed | 0;
  const split = (): number => {
    mixed = (mixed + 0x9e_37_79_b9) | 0;
    let word = mixed ^ (mixed >>> 16);
    word = Math.imul(word, 0x21_f0_aa_ad);
    word ^= word >>> 15;
    word = Math.imul(word, 0x73_5a_2d_97);
    return word ^ (word >>> 15);
  };
  let [a, b, c, counter] = [split(), split(), split(), 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

/** Derives a seed from a text (FNV-1a), to repeat draws for the same verifier and period. */
export function seedOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01_00_01_93);
  return hash >>> 0;
}

/** Standard normal, by Box and Muller 1958. */
export function normalDraw(random: Random): number {
  // 1 - u is never 0.
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * Binomial: by inversion up to a variance of 200, and by the rounded normal above, whose error is
 * then smaller than the variation of a resample.
 * @param share 0..1
 */
export function binomialDraw(random: Random, n: number, share: number): number {
  if (n === 0 || share <= 0) return 0;
  if (share >= 1) return n;
  if (share > 0.5) return n - binomialDraw(random, n, 1 - share);
  const variance = n * share * (1 - share);
  if (variance > 200)
    return Math.min(
      n,
      Math.max(0, Math.round(n * share + Math.sqrt(variance) * normalDraw(random))),
    );
  const odds = share / (1 - share);
  let term = (1 - share) ** n;
  let rest = random();
  let k = 0;
  while (rest >= term && k < n) {
    rest -= term;
    term *= (odds * (n - k)) / (k + 1);
    k++;
  }
  return k;
}
