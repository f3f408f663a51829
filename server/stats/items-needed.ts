import { normalQuantile } from './distributions';

/**
 * The number of paired items with which the exact McNemar test at 5% detects a difference of shares
 * with the given power (Miettinen 1968, Connor 1987), with the continuity correction of the test:
 * n·δ − 1 = z₁₋α/₂·√(n·ψ) + z₁₋β·√(n·(ψ − δ²)), solved for n. ψ is the share of items that only one
 * run passes; with repetitions, the mean square of the differences of items, which is the same for
 * one repetition.
 *
 * Null if no item differs or the difference is 0: no number of items is then known to be enough.
 * @param difference of shares, −1..1
 */
export function pairsNeeded({
  difference,
  discordant,
  power = 0.8,
}: {
  readonly difference: number;
  readonly discordant: number;
  readonly power?: number;
}): number | null {
  const size = Math.abs(difference);
  if (size === 0 || discordant <= 0) return null;
  // A difference cannot exceed the share of items that differ.
  const share = Math.min(1, Math.max(discordant, size));
  const spread =
    normalQuantile(1 - alpha / 2) * Math.sqrt(share) +
    normalQuantile(power) * Math.sqrt(Math.max(0, share - size * size));
  return Math.ceil(((spread + Math.sqrt(spread * spread + 4 * size)) / (2 * size)) ** 2);
}

/**
 * The number of items with which the interval of a share no longer contains `limit`, if the share
 * stays the same: z²·p(1 − p)/(p − limit)², with Wilson's variance at the limit, which is the one
 * that decides. Null if the share is at the limit.
 */
export function itemsToExclude(share: number, limit: number): number | null {
  if (share === limit) return null;
  const z = normalQuantile(1 - alpha / 2);
  return Math.max(1, Math.ceil((z * z * limit * (1 - limit)) / (share - limit) ** 2));
}

const alpha = 0.05;
