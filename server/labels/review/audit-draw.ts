import { createHmac } from 'node:crypto';

/**
 * Whether the audit draws a verdict: a keyed hash of it, uniform in [0, 1), lies under the rate.
 * Asked again it says the same, whoever asks; and no one without the desk's key can tell before
 * what will be drawn. It knows nothing of the verdict, so the sample is one of all (calibration.md
 * 5.4, unequal label probabilities).
 */
export const leastProbability = 0.001;

/**
 * With what probability a verdict is drawn at a rate; null where none is. The floor keeps the
 * weights of what is drawn (1 / π) bounded.
 */
export function probabilityAt(auditRate: number): number | null {
  return auditRate <= 0 ? null : Math.min(1, Math.max(auditRate, leastProbability));
}

/**
 * Uniform in [0, 1): 48 bits of HMAC-SHA256. @param key the desk's own (`review_cursors.lot_key`),
 * so every installation has one
 */
export function lotOf(key: string, projectId: string, verdictId: string): number {
  const digest = createHmac('sha256', `assay audit draw ${key}`)
    .update(`${projectId}\n${verdictId}`)
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}
