import type { ProjectCtx } from '../../access';
import type { Rederived } from '../../verifiers';
import { type HistoryGroup, type Item, newestFirst } from './history';
import type { Flip } from './simulation';
import { flips } from './tally';

/** A labelled verdict that a candidate decides differently. */
export interface Flipped {
  readonly item: Item;
  readonly before: Rederived;
  readonly after: Rederived;
  readonly good: boolean;
}

/**
 * Flipped verdicts, newest first, at most `most`. The items of a group are in that order too, which
 * allows reading only the head of each group.
 * @param from only verdicts after this one
 */
export function flipsAmong(
  groups: readonly HistoryGroup[],
  before: readonly Rederived[],
  after: readonly Rederived[],
  max: number,
  from: Item | null = null,
): readonly Flipped[] {
  let found: Flipped[] = [];
  let last: Item | null = null;
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    const one = before[i];
    const other = after[i];
    if (group === undefined || one === undefined || other === undefined || !flips(one, other))
      continue;
    const { items, good } = group;
    let taken = 0;
    for (const item of items) {
      if (from !== null && newestFirst(item, from) <= 0) continue;
      if (taken === max || (last !== null && newestFirst(item, last) > 0)) break;
      found.push({ item, before: one, after: other, good });
      taken++;
    }
    if (found.length >= 8 * max) {
      found = newest(found, max);
      last = found.at(-1)?.item ?? null;
    }
  }
  return newest(found, max);
}

const newest = (found: readonly Flipped[], max: number): Flipped[] =>
  found.toSorted((a, b) => newestFirst(a.item, b.item)).slice(0, max);

/** Reads the displayed data of flips in one query; omits verdicts that no longer exist. */
export async function readFlips(
  { sql, projectId }: ProjectCtx,
  wanted: readonly Flipped[],
): Promise<(flipped: Flipped) => Flip | null> {
  const ids = [...new Set(wanted.map(({ item }) => item.id))];
  const rows =
    ids.length === 0
      ? []
      : await sql<{ id: string; excerpt: string; score: number | null; settled_at: string }[]>`
          select id, excerpt, score, settled_at from verdicts where project_id = ${projectId} and experiment_id is null and id in ${sql(ids)}`;
  const known = new Map(rows.map((row) => [row.id, row]));
  return ({ item, before, after, good }) => {
    const row = known.get(item.id);
    if (row === undefined) return null;
    return {
      verdictId: item.id,
      excerpt: row.excerpt,
      score: row.score,
      before: { verdict: before.verdict, outcome: before.outcome },
      after: { verdict: after.verdict, outcome: after.outcome },
      good,
      settledAt: new Date(row.settled_at),
    };
  };
}
