import type { DropReason } from './options';

/**
 * Counts of the host's items: `taken` = `queued` + `accepted` + `duplicates` + `rejected` + the sum
 * of `dropped`.
 */
export interface Stats {
  /** Calls of `turn` and `outcome`. */
  taken: number;
  /** Waiting or in flight. */
  queued: number;
  /** Bytes of JSON of `queued`. */
  queuedBytes: number;
  /** Items with a final answer from the server. */
  sent: number;
  accepted: number;
  /**
   * Items that the server already had: a retry whose first response was lost, or a turn that was
   * sent before.
   */
  duplicates: number;
  rejected: number;
  /** Requests, and the number of failures that were retried. */
  requests: number;
  retried: number;
  dropped: Record<DropReason, number>;
}

export type Counts = Omit<Stats, 'queued' | 'queuedBytes'>;

export function noCounts(): Counts {
  return {
    taken: 0,
    sent: 0,
    accepted: 0,
    duplicates: 0,
    rejected: 0,
    requests: 0,
    retried: 0,
    dropped: { queue_full: 0, too_large: 0, gave_up: 0, closed: 0, exit: 0 },
  };
}
