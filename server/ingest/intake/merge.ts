import { canonicalJson, sliceMembers } from '../../domain';
import { sha256 } from '../../platform';

export interface TurnVersion {
  readonly contentHash: string;
  readonly payload: string;
}

/**
 * Merges all contents received under one turn id: member by member, the latest non-null value wins
 * (by the turn's own end or start time, then by content hash). The same versions yield the same
 * turn in any order, number and spelling: values are compared and merged in their canonical text.
 */
export function mergeVersions(versions: readonly TurnVersion[]): TurnVersion {
  const ordered = versions
    .map(({ payload }) => canonicalJson(payload))
    .map((payload) => ({ payload, time: clientTime(payload), hash: sha256(payload) }))
    .sort((a, b) => compare(a.time, b.time) || compare(a.hash, b.hash));
  const merged = new Map<string, string>();
  for (const { payload } of ordered) {
    for (const [key, at] of sliceMembers(payload)) {
      const raw = payload.slice(at.start, at.end);
      if (raw !== 'null' || !merged.has(key)) merged.set(key, raw);
    }
  }
  const members = [...merged]
    .sort(([a], [b]) => compare(a, b))
    .map(([key, raw]) => `${JSON.stringify(key)}:${raw}`);
  const payload = `{${members.join(',')}}`;
  return { payload, contentHash: sha256(payload) };
}

/** True when two texts differ in spelling only: white space, key order, escapes. */
export function sameContent(a: string, b: string): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function clientTime(payload: string): string {
  const members = sliceMembers(payload);
  for (const name of ['ended_at', 'started_at']) {
    const at = members.get(name);
    const value: unknown = at === undefined ? null : JSON.parse(payload.slice(at.start, at.end));
    const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(time)) return new Date(time).toISOString();
  }
  return '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
