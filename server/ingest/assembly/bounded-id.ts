import { intakeLimits } from '../../domain';
import { sha256 } from '../../platform';

const hashChars = 16;

/**
 * An id of at most 200 characters. A longer one is truncated and ends in a hash of the whole, so
 * that two ids with the same beginning remain different and equal ids remain equal.
 */
export function boundedId(id: string): string {
  if (id.length <= intakeLimits.idChars) return id;
  const start = id.slice(0, intakeLimits.idChars - hashChars - 1);
  return `${start.isWellFormed() ? start : start.slice(0, -1)}~${sha256(id).slice(0, hashChars)}`;
}
