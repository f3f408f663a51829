/**
 * How much wider the error of a share is since its items come in clusters (turns of a session, outputs of one source document): the cluster-robust
 * variance of calibration.md 5.1, Var = G/(G−1)·Σ_g (x_g − p·n_g)²/n², over that of single items, p(1−p)/n (Kish 1965; Miller 2024, arXiv 2411.00640).
 * Intervals take n divided by it for the number of items. Never below 1: few clusters may look more alike than they are.
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

/** 1 where no cluster has two items. Where all items are alike, those of a cluster are taken to say what one of them says. */
export function designEffect({ clusters, n, x, nn, xn, xx }: ClusterSums): number {
  if (clusters < 2 || nn <= n) return 1;
  const p = x / n;
  const ofSingle = p * (1 - p) * n;
  if (ofSingle === 0) return nn / n;
  const spread = xx - 2 * p * xn + p * p * nn;
  return Math.max(1, ((clusters / (clusters - 1)) * spread) / ofSingle);
}
