/**
 * The factor by which clusters (turns of a session, outputs of one source document) increase the
 * variance of a share: the cluster-robust variance of calibration.md 5.1, Var = G/(G−1)·Σ_g (x_g −
 * p·n_g)²/n², over that of single items, p(1−p)/n (Kish 1965; Miller 2024, arXiv 2411.00640).
 * Intervals use n divided by this factor as the number of items. It is never below 1, because a
 * small number of clusters may look more alike than they are.
 */
export interface ClusterSums {
  /** The number of non-empty clusters. */
  readonly clusters: number;
  /** The number of items, and of counted items among them. */
  readonly n: number;
  readonly x: number;
  /** Over clusters: Σ n_g², Σ x_g·n_g, Σ x_g². */
  readonly nn: number;
  readonly xn: number;
  readonly xx: number;
}

/**
 * The factor; 1 if no cluster has two items. If all items are equal, the items of a cluster count
 * as one.
 */
export function designEffect({ clusters, n, x, nn, xn, xx }: ClusterSums): number {
  if (clusters < 2 || nn <= n) return 1;
  const p = x / n;
  const ofSingle = p * (1 - p) * n;
  if (ofSingle === 0) return nn / n;
  const spread = xx - 2 * p * xn + p * p * nn;
  return Math.max(1, ((clusters / (clusters - 1)) * spread) / ofSingle);
}

/** The weight of one item in an interval: 1 / design effect, above 0 and at most 1. */
export const itemWeight = (sums: ClusterSums): number => 1 / designEffect(sums);

/** Sums over clusters. @param items each with its cluster, and whether it is counted */
export function clusterSums(
  items: Iterable<{ readonly cluster: string; readonly counted: boolean }>,
): ClusterSums {
  const found = new Map<string, { n: number; x: number }>();
  for (const { cluster, counted } of items) {
    const sum = found.get(cluster);
    if (sum === undefined) found.set(cluster, { n: 1, x: counted ? 1 : 0 });
    else {
      sum.n += 1;
      sum.x += counted ? 1 : 0;
    }
  }
  return sumsOf(found.values());
}

/** The same, from the counts of each cluster; empty clusters are ignored. */
export function sumsOf(
  clusters: Iterable<{ readonly n: number; readonly x: number }>,
): ClusterSums {
  const sums = { clusters: 0, n: 0, x: 0, nn: 0, xn: 0, xx: 0 };
  for (const { n, x } of clusters) {
    if (n === 0) continue;
    sums.clusters += 1;
    sums.n += n;
    sums.x += x;
    sums.nn += n * n;
    sums.xn += x * n;
    sums.xx += x * x;
  }
  return sums;
}
