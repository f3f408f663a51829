/**
 * The distributions that the statistics need, to 1e-9 and better.
 * Gamma function: Lanczos 1964 (g = 7, nine terms). Regularised incomplete gamma P(a, x) = 1 − Q(a,
 * x): series for x < a + 1, else Lentz's continued fraction. Regularised incomplete beta I_x(a, b):
 * continued fraction, on the side where it converges (Numerical Recipes 6.2, 6.4). Normal: Φ(−|x|)
 * = Q(1/2, x²/2) / 2. Normal quantile: Acklam's rational start, one step of Halley. Chi-square:
 * Q(df/2, x/2). Student: P(|T| > t) = I_{df/(df+t²)}(df/2, 1/2).
 */
const lanczos = [
  0.999_999_999_999_809_93, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_13,
  -176.615_029_162_140_59, 12.507_343_278_686_905, -0.138_571_095_265_720_12,
  9.984_369_578_019_571_6e-6, 1.505_632_735_149_311_6e-7,
];
const tiny = 1e-300;
const steps = 10_000;

/** ln Γ(x), x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  const sum = lanczos.reduce((total, term, i) => (i === 0 ? term : total + term / (z + i)), 0);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Q(a, x), the upper share of the gamma distribution; a > 0, x >= 0. */
export function gammaUpper(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < steps && Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - sum * scale;
  }
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let i = 1; i < steps; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / away(an * d + b);
    c = away(b + an / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return scale * fraction;
}

function away(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

/** I_x(a, b), the lower share of the beta distribution; a, b > 0. */
export function betaLower(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only on this side.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaLower(1 - x, b, a);
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < steps; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return (front * fraction) / a;
}

/** The x with I_x(a, b) = `share`, by bisection: as accurate as the distribution itself. */
export function betaQuantile(share: number, a: number, b: number): number {
  if (share <= 0) return 0;
  if (share >= 1) return 1;
  let [low, high] = [0, 1];
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (betaLower(middle, a, b) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Φ(x). */
export function normalLower(x: number): number {
  const tail = gammaUpper(0.5, (x * x) / 2) / 2;
  return x < 0 ? tail : 1 - tail;
}

const startMiddle = [
  [
    -39.696_830_286_653_76, 220.946_098_424_520_5, -275.928_510_446_968_7, 138.357_751_867_269,
    -30.664_798_066_147_16, 2.506_628_277_459_239,
  ],
  [
    -54.476_098_798_224_06, 161.585_836_858_040_9, -155.698_979_859_886_6, 66.801_311_887_719_72,
    -13.280_681_552_885_72, 1,
  ],
] as const;
const startTail = [
  [
    -0.007_784_894_002_430_293, -0.322_396_458_041_136_5, -2.400_758_277_161_838,
    -2.549_732_539_343_734, 4.374_664_141_464_968, 2.938_163_982_698_783,
  ],
  [
    0.007_784_695_709_041_462, 0.322_467_129_070_039_8, 2.445_134_137_142_996,
    3.754_408_661_907_416, 1,
  ],
] as const;

/** Φ⁻¹(share): −∞ at 0, ∞ at 1. */
export function normalQuantile(share: number): number {
  if (share <= 0) return Number.NEGATIVE_INFINITY;
  if (share >= 1) return Number.POSITIVE_INFINITY;
  if (share > 0.5) return -normalQuantile(1 - share);
  let x: number;
  if (share < 0.024_25) {
    const q = Math.sqrt(-2 * Math.log(share));
    x = horner(startTail[0], q) / horner(startTail[1], q);
  } else {
    const q = share - 0.5;
    x = (horner(startMiddle[0], q * q) * q) / horner(startMiddle[1], q * q);
  }
  const off = (normalLower(x) - share) * Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2);
  return x - off / (1 + (x * off) / 2);
}

function horner(terms: readonly number[], x: number): number {
  return terms.reduce((sum, term) => sum * x + term, 0);
}

/** The t with P(|T| > t) = `alpha`. */
export function studentTwoSidedQuantile(alpha: number, df: number): number {
  const x = betaQuantile(alpha, df / 2, 0.5);
  return Math.sqrt((df * (1 - x)) / x);
}

/** P(X = k), X ~ Bin(n, share): in logarithms, since 2^-n underflows from n = 1075 on. */
export function binomialTerm(k: number, n: number, share: number): number {
  if (share <= 0) return k === 0 ? 1 : 0;
  if (share >= 1) return k === n ? 1 : 0;
  return Math.exp(
    logGamma(n + 1) -
      logGamma(k + 1) -
      logGamma(n - k + 1) +
      k * Math.log(share) +
      (n - k) * Math.log1p(-share),
  );
}
