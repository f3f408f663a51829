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

/** What one item is worth in an interval: 1 / design effect, above 0 and at most 1. */
export const worthOf = (sums: ClusterSums): number => 1 / designEffect(sums);

/** Sums over clusters. @param items each with its cluster, those that are counted marked */
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

/** The same of the counts of each cluster; those without items are none. */
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
