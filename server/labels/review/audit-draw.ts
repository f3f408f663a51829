import { createHmac } from 'node:crypto';

/**
 * The audit draws a verdict if a keyed hash of its id, uniform in [0, 1), is below the rate. The
 * result is always the same for a verdict, and no one can predict it without the queue's key. It is
 * independent of the outcome, so the sample represents all verdicts (calibration.md 5.4, unequal
 * label probabilities). This is the lowest probability of a draw.
 */
export const minProbability = 0.001;

/**
 * The probability of a draw for an audit rate; null at rate 0. The minimum bounds the weights (1 /
 * π) of drawn verdicts.
 */
export function probabilityAt(auditRate: number): number | null {
  return auditRate <= 0 ? null : Math.min(1, Math.max(auditRate, minProbability));
}

/**
 * A value uniform in [0, 1): 48 bits of HMAC-SHA256.
 * @param key the secret of the project's queue (`review_cursors.lot_key`)
 */
export function lotOf(key: string, projectId: string, verdictId: string): number {
  const digest = createHmac('sha256', `assay audit draw ${key}`)
    .update(`${projectId}\n${verdictId}`)
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}
