/**
 * A duration in a readable unit.
 *
 * @param ms milliseconds
 */
export function waitText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${(ms / 60_000).toFixed(1)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

/** A score on the verifier's own scale: two decimals below 10, whole numbers from there on. */
export function scoreText(score: number): string {
  return Math.abs(score) >= 10 ? score.toFixed(0) : score.toFixed(2);
}
