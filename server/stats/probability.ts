import { fitLogistic, logit, sigmoid } from './regression';
import type { Scored } from './curves';

/**
 * How far a number that is said to be a probability is one, and how to make it one (calibration.md
 * 5.6). Brier 1950: mean (p − y)²; Murphy 1973: over groups of equal p, reliability − resolution +
 * uncertainty. Log loss: −mean ln of what was given to what came. ECE (Naeini 2015, Guo 2017): Σ
 * n_b/m·|p̄_b − ȳ_b| over bins of equal mass or width. Platt 1999: σ(as + b), targets (m₁+1)/(m₁+2)
 * and 1/(m₀+2). Temperature: σ(logit(p)/T). Isotonic: pool adjacent violators (Zadrozny and Elkan
 * 2002), for 200 labels and more. Beta (Kull 2017): σ(a·ln p − b·ln(1−p) + c), a and b not below 0.
 * A fit belongs to the development split, its test to another.
 */
export interface Forecast {
  /** 0..1. */
  readonly p: number;
  /** Whether it came. */
  readonly y: 0 | 1;
}

/** Nearer to 0 or 1 no probability is taken, where a logarithm is. */
const edge = 1e-15;
const clip = (p: number): number => Math.min(1 - edge, Math.max(edge, p));

export interface Brier {
  readonly value: number;
  readonly reliability: number;
  readonly resolution: number;
  readonly uncertainty: number;
}

/** Null without items. @throws RangeError on what is no probability */
export function brier(items: readonly Forecast[]): Brier | null {
  refuse(items);
  const n = items.length;
  if (n === 0) return null;
  const base = items.reduce((sum, { y }) => sum + y, 0) / n;
  const groups = new Map<number, { n: number; came: number }>();
  for (const { p, y } of items) {
    const group = groups.get(p) ?? { n: 0, came: 0 };
    groups.set(p, { n: group.n + 1, came: group.came + y });
  }
  let [reliability, resolution] = [0, 0];
  for (const [p, group] of groups) {
    reliability += (group.n / n) * (p - group.came / group.n) ** 2;
    resolution += (group.n / n) * (group.came / group.n - base) ** 2;
  }
  const value = items.reduce((sum, { p, y }) => sum + (p - y) ** 2, 0) / n;
  return { value, reliability, resolution, uncertainty: base * (1 - base) };
}

/**
 * Natural logarithm. A probability of 0 or 1 counts as 1e-15 from it. Null without items. @throws
 * RangeError as `brier`
 */
export function logLoss(items: readonly Forecast[]): number | null {
  refuse(items);
  if (items.length === 0) return null;
  return (
    -items.reduce((sum, { p, y }) => sum + Math.log(y === 1 ? clip(p) : 1 - clip(p)), 0) /
    items.length
  );
}

export interface Bin {
  /**
   * Of equal width: (low, high], the first with its low end. Of equal mass: the least and the
   * greatest in it.
   */
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly mean: number;
  /** How many came, of `n`. */
  readonly came: number;
}

/**
 * `bins`: how many at most; empty ones are left out. Equal mass keeps equal probabilities together.
 * Null without items.
 */
export function ece(
  items: readonly Forecast[],
  {
    bins = 10,
    kind = 'equal-mass',
  }: { readonly bins?: number; readonly kind?: 'equal-mass' | 'equal-width' } = {},
): { readonly value: number; readonly bins: readonly Bin[] } | null {
  refuse(items);
  if (items.length === 0) return null;
  const sorted = [...items].sort((a, b) => a.p - b.p);
  const groups = kind === 'equal-mass' ? byMass(sorted, bins) : byWidth(sorted, bins);
  const told = groups.map(({ low, high, held }) => ({
    low,
    high,
    n: held.length,
    mean: held.reduce((sum, { p }) => sum + p, 0) / held.length,
    came: held.reduce((sum, { y }) => sum + y, 0),
  }));
  return {
    value: told.reduce((sum, bin) => sum + Math.abs(bin.mean * bin.n - bin.came), 0) / items.length,
    bins: told,
  };
}

interface Group {
  readonly low: number;
  readonly high: number;
  readonly held: readonly Forecast[];
}

function byMass(sorted: readonly Forecast[], bins: number): Group[] {
  const groups: Group[] = [];
  let from = 0;
  for (let bin = 1; bin <= bins; bin++) {
    let to = Math.round((bin * sorted.length) / bins);
    while (to > from && to < sorted.length && sorted[to]?.p === sorted[to - 1]?.p) to++;
    const held = sorted.slice(from, to);
    if (held.length > 0) groups.push({ low: held[0]?.p ?? 0, high: held.at(-1)?.p ?? 1, held });
    from = Math.max(from, to);
  }
  return groups;
}

function byWidth(sorted: readonly Forecast[], bins: number): Group[] {
  const groups = Array.from({ length: bins }, (_, i) => ({
    low: i / bins,
    high: (i + 1) / bins,
    held: [] as Forecast[],
  }));
  // By the ends themselves: p·bins is off by rounding just at an end.
  for (const item of sorted)
    groups[
      Math.max(
        0,
        groups.findIndex(({ high }) => item.p <= high),
      )
    ]?.held.push(item);
  return groups.filter(({ held }) => held.length > 0);
}

function refuse(items: readonly Forecast[]): void {
  if (!items.every(({ p }) => p >= 0 && p <= 1))
    throw new RangeError('a probability is not within 0 and 1');
}

/** Makes a probability of being bad of a score. */
export type Mapping = (score: number) => number;

/**
 * σ(as + b); `a` is above 0 where high scores are bad. Null where one class is absent or all scores
 * are equal.
 */
export function platt(
  scored: readonly Scored[],
): { readonly a: number; readonly b: number; readonly map: Mapping } | null {
  const bad = scored.filter((one) => one.bad).length;
  const good = scored.length - bad;
  if (bad === 0 || good === 0) return null;
  const [high, low] = [(bad + 1) / (bad + 2), 1 / (good + 2)];
  const fit = fitLogistic(scored.map((one) => ({ terms: [one.score], y: one.bad ? high : low })));
  if (!fit) return null;
  const [b = 0, a = 0] = fit.map(({ value }) => value);
  return { a, b, map: (score) => sigmoid(a * score + b) };
}

/**
 * Above 1: the forecasts were over-confident. Null where no T above 0 is best: all right, or no
 * better than chance.
 */
export function temperature(
  items: readonly Forecast[],
): { readonly temperature: number; readonly map: Mapping } | null {
  refuse(items);
  const fit = fitLogistic(
    items.map(({ p, y }) => ({ terms: [logit(clip(p))], y })),
    { intercept: false },
  );
  const slope = fit?.[0]?.value ?? 0;
  return slope > 0 ? { temperature: 1 / slope, map: (p) => sigmoid(slope * logit(clip(p))) } : null;
}

export interface Step {
  /** Least and greatest score of the block. */
  readonly low: number;
  readonly high: number;
  readonly n: number;
  /** Share of bad in it. */
  readonly value: number;
}

/**
 * Ascending blocks. Equal scores are one. `map` takes a score between blocks for one on the line
 * between them. Null without items.
 */
export function isotonic(
  scored: readonly Scored[],
): { readonly steps: readonly Step[]; readonly map: Mapping } | null {
  if (scored.length === 0) return null;
  const blocks: { low: number; high: number; n: number; bad: number }[] = [];
  for (const { score, bad } of [...scored].sort((a, b) => a.score - b.score)) {
    const last = blocks.at(-1);
    if (last && last.high === score) {
      last.n++;
      last.bad += bad ? 1 : 0;
    } else blocks.push({ low: score, high: score, n: 1, bad: bad ? 1 : 0 });
  }
  const pooled: typeof blocks = [];
  for (const block of blocks) {
    let joined = block;
    // Crosswise, in whole numbers: equal shares are joined whatever rounding says.
    for (
      let last = pooled.at(-1);
      last && last.bad * joined.n >= joined.bad * last.n;
      last = pooled.at(-1)
    ) {
      pooled.pop();
      joined = {
        low: last.low,
        high: joined.high,
        n: last.n + joined.n,
        bad: last.bad + joined.bad,
      };
    }
    pooled.push(joined);
  }
  const steps = pooled.map(({ low, high, n, bad }) => ({ low, high, n, value: bad / n }));
  return { steps, map: (score) => along(steps, score) };
}

function along(steps: readonly Step[], score: number): number {
  const next = steps.findIndex(({ high }) => score <= high);
  const at = steps[next] ?? steps.at(-1);
  const before = steps[next - 1];
  if (!at) return 0;
  if (next < 0 || score >= at.low || !before) return at.value;
  return (
    before.value + ((at.value - before.value) * (score - before.high)) / (at.low - before.high)
  );
}

/** Null where one class is absent, or no such curve fits. @throws RangeError as `brier` */
export function betaCalibration(
  items: readonly Forecast[],
): { readonly a: number; readonly b: number; readonly c: number; readonly map: Mapping } | null {
  refuse(items);
  const terms = items.map(({ p, y }) => ({
    one: Math.log(clip(p)),
    other: -Math.log1p(-clip(p)),
    y,
  }));
  const told = (a: number, b: number, c: number) => ({
    a,
    b,
    c,
    map: (p: number) => sigmoid(a * Math.log(clip(p)) - b * Math.log1p(-clip(p)) + c),
  });
  const whole = fitLogistic(terms.map(({ one, other, y }) => ({ terms: [one, other], y })))?.map(
    ({ value }) => value,
  );
  if (!whole) return null;
  const [c = 0, a = 0, b = 0] = whole;
  if (a >= 0 && b >= 0) return told(a, b, c);
  // A slope below 0 would turn the order round: that term is left out.
  const rest = fitLogistic(
    terms.map(({ one, other, y }) => ({ terms: [a < 0 ? other : one], y })),
  )?.map(({ value }) => value);
  if (!rest || (rest[1] ?? 0) < 0) return null;
  return a < 0 ? told(0, rest[1] ?? 0, rest[0] ?? 0) : told(rest[1] ?? 0, 0, rest[0] ?? 0);
}
