import { type CountedRequest, type CounterRow, recentMax } from './counter';

/** An unvalidated row of the database or the journal. */
export interface StoredSessionRow {
  readonly replica: unknown;
  readonly epoch: unknown;
  readonly version: unknown;
  readonly units: unknown;
  readonly recent: unknown;
}

/**
 * Null for a row with invalid numbers, which counts as missing (QV-8). Negative units become 0
 * (QV-3). Never throws.
 */
export function readStoredRow({
  replica,
  epoch,
  version,
  units,
  recent,
}: StoredSessionRow): CounterRow | null {
  if (typeof replica !== 'string' || !isWhole(epoch) || !isWhole(version) || !isWhole(units))
    return null;
  if (epoch < 0) return null;
  const requests = Array.isArray(recent)
    ? recent.flatMap((each) => readRequest(each) ?? []).slice(-recentMax)
    : [];
  return { replica, epoch, version, units: Math.max(0, units), recent: requests };
}

/** `[hash, epoch, units]`: compact, since each row has up to 32. */
export function storeRequest({
  hash,
  epoch,
  units,
}: CountedRequest): readonly [string, number, number] {
  return [hash, epoch, units];
}

function readRequest(value: unknown): CountedRequest | null {
  if (!Array.isArray(value)) return null;
  const [hash, epoch, units] = value as readonly unknown[];
  return typeof hash === 'string' && isWhole(epoch) && isWhole(units) && units >= 0
    ? { hash, epoch, units }
    : null;
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
