import { createHmac } from 'node:crypto';

/**
 * Whether the audit draws a verdict: a keyed hash of it, uniform in [0, 1), is below the rate. It
 * gives the same answer every time, and without the queue's key no one can predict the draws. It is
 * independent of the verdict, so the sample represents all (calibration.md 5.4, unequal label
 * probabilities).
 */
export const minProbability = 0.001;

/**
 * The probability of a draw at a rate; null at rate 0. The floor bounds the weights of draws (1 /
 * π).
 */
export function probabilityAt(auditRate: number): number | null {
  return auditRate <= 0 ? null : Math.min(1, Math.max(auditRate, minProbability));
}

/**
 * Uniform in [0, 1): 48 bits of HMAC-SHA256. @param key the queue's own (`review_cursors.lot_key`),
 * so every installation has one
 */
export function lotOf(key: string, projectId: string, verdictId: string): number {
  const digest = createHmac('sha256', `assay audit draw ${key}`)
    .update(`${projectId}\n${verdictId}`)
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}
