/**
 * The accuracy of numbers stated as probabilities (calibration.md 5.6). Brier 1950: mean (p − y)²;
 * Murphy 1973: over groups of equal p, reliability − resolution + uncertainty. ECE (Naeini 2015,
 * Guo 2017): Σ n_b/m·|p̄_b − ȳ_b| over bins of equal mass or width.
 */
export interface Forecast {
  /** 0..1. */
  readonly p: number;
  /** Whether the event occurred. */
  readonly y: 0 | 1;
}

export interface Brier {
  readonly value: number;
  readonly reliability: number;
  readonly resolution: number;
  readonly uncertainty: number;
}

/** Null without items. @throws RangeError on an invalid probability */
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

export interface Bin {
  /**
   * Equal width: the interval (low, high], with the low end included in the first bin. Equal mass:
   * the smallest and the greatest value in the bin.
   */
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly mean: number;
  /** Number of events among the `n` items. */
  readonly came: number;
}

/**
 * Null without items. Bins of equal mass keep equal probabilities together.
 * @param bins the maximum number; empty bins are skipped
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
  const filled = groups.map(({ low, high, members }) => ({
    low,
    high,
    n: members.length,
    mean: members.reduce((sum, { p }) => sum + p, 0) / members.length,
    came: members.reduce((sum, { y }) => sum + y, 0),
  }));
  return {
    value:
      filled.reduce((sum, bin) => sum + Math.abs(bin.mean * bin.n - bin.came), 0) / items.length,
    bins: filled,
  };
}

interface Group {
  readonly low: number;
  readonly high: number;
  readonly members: readonly Forecast[];
}

function byMass(sorted: readonly Forecast[], bins: number): Group[] {
  const groups: Group[] = [];
  let from = 0;
  for (let bin = 1; bin <= bins; bin++) {
    let to = Math.round((bin * sorted.length) / bins);
    while (to > from && to < sorted.length && sorted[to]?.p === sorted[to - 1]?.p) to++;
    const members = sorted.slice(from, to);
    if (members.length > 0)
      groups.push({ low: members[0]?.p ?? 0, high: members.at(-1)?.p ?? 1, members });
    from = Math.max(from, to);
  }
  return groups;
}

function byWidth(sorted: readonly Forecast[], bins: number): Group[] {
  const groups = Array.from({ length: bins }, (_, i) => ({
    low: i / bins,
    high: (i + 1) / bins,
    members: [] as Forecast[],
  }));
  // Compares with the ends themselves: p·bins has a rounding error exactly at an end.
  for (const item of sorted)
    groups[
      Math.max(
        0,
        groups.findIndex(({ high }) => item.p <= high),
      )
    ]?.members.push(item);
  return groups.filter(({ members }) => members.length > 0);
}

function refuse(items: readonly Forecast[]): void {
  if (!items.every(({ p }) => p >= 0 && p <= 1))
    throw new RangeError('a probability is not within 0 and 1');
}
