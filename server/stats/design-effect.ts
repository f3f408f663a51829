/**
 * How much wider the error of a share is since its items come in clusters (turns of a session,
 * outputs of one source document): the cluster-robust variance of calibration.md 5.1, Var =
 * G/(G−1)·Σ_g (x_g − p·n_g)²/n², over that of single items, p(1−p)/n (Kish 1965; Miller 2024, arXiv
 * 2411.00640). Intervals take n divided by it for the number of items. Never below 1: few clusters
 * may look more alike than they are.
 */
export interface ClusterSums {
  /** Clusters that have items. */
  readonly clusters: number;
  /** Items, and those of them that are counted. */
  readonly n: number;
  readonly x: number;
  /** Over clusters: Σ n_g², Σ x_g·n_g, Σ x_g². */
  readonly nn: number;
  readonly xn: number;
  readonly xx: number;
}

/**
 * 1 where no cluster has two items. Where all items are alike, those of a cluster are taken to say
 * what one of them says.
 */
export function designEffect({ clusters, n, x, nn, xn, xx }: ClusterSums): number {
  if (clusters < 2 || nn <= n) return 1;
  const p = x / n;
  const ofSingle = p * (1 - p) * n;
  if (ofSingle === 0) return nn / n;
  const spread = xx - 2 * p * xn + p * p * nn;
  return Math.max(1, ((clusters / (clusters - 1)) * spread) / ofSingle);
}

/** Sums over clusters. @param items each with its cluster, those that are counted marked */
export function clusterSums(
  items: readonly { readonly cluster: string; readonly counted: boolean }[],
): ClusterSums {
  const found = new Map<string, { n: number; x: number }>();
  for (const { cluster, counted } of items) {
    const sum = found.get(cluster) ?? { n: 0, x: 0 };
    found.set(cluster, { n: sum.n + 1, x: sum.x + (counted ? 1 : 0) });
  }
  const total = (of: (sum: { readonly n: number; readonly x: number }) => number): number =>
    [...found.values()].reduce((all, sum) => all + of(sum), 0);
  return {
    clusters: found.size,
    n: total(({ n }) => n),
    x: total(({ x }) => x),
    nn: total(({ n }) => n * n),
    xn: total(({ x, n }) => x * n),
    xx: total(({ x }) => x * x),
  };
}

/** A figure with its interval; null where there is none. */
interface Bounded {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The interval of items that are worth less than their number: its ends move away from the value by
 * √(design effect), as the error of a mean does. @param worth 1 / design effect, above 0 and at
 * most 1 @param range what the figure can be
 */
export function widened<T extends Bounded>(
  one: T,
  worth: number,
  [least, most]: readonly [number, number],
): T {
  const { value, low, high } = one;
  if (worth === 1 || value === null || low === null || high === null) return one;
  const by = 1 / Math.sqrt(worth);
  return {
    ...one,
    low: Math.max(least, value - (value - low) * by),
    high: Math.min(most, value + (high - value) * by),
  };
}
