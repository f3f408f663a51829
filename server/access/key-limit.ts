import { type Ctx, rateLimited } from '../platform';

/** Seconds of requests that a key may send at once after a pause. */
const burstS = 10;
/** Keys whose requests a process counts; the one counted longest is forgotten beyond them. */
const capacity = 10_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}

/**
 * Counts the requests of each key in this process by a token bucket, so the limit needs neither
 * Redis nor PostgreSQL, and applies while they are unavailable (S-111).
 * @param perSecond null means no limit
 * @returns counts a request of a key. @throws AssayError rate_limited
 */
export function createKeyLimit(
  clock: Pick<Ctx['clock'], 'monotonicMs'>,
  perSecond: number | null,
): (keyId: string) => void {
  if (perSecond === null) return () => undefined;
  const full = perSecond * burstS;
  const buckets = new Map<string, Bucket>();
  return (keyId) => {
    const now = clock.monotonicMs();
    let bucket = buckets.get(keyId);
    if (bucket === undefined) {
      if (buckets.size >= capacity) buckets.delete(buckets.keys().next().value ?? '');
      bucket = { tokens: full, filledAt: now };
      buckets.set(keyId, bucket);
    }
    const more = (Math.max(0, now - bucket.filledAt) / 1000) * perSecond;
    bucket.tokens = Math.min(full, bucket.tokens + more);
    bucket.filledAt = now;
    if (bucket.tokens < 1)
      throw rateLimited(
        `this API key may send ${perSecond} requests per second; send the request again later`,
        Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)),
      );
    bucket.tokens--;
  };
}
