import { type Lane, type ModelState, stepsOf } from './lane-model';

/** Equal for states with the same future: fences only count relative to each other. */
function keyOf({ rows, loops, faults }: ModelState): string {
  return JSON.stringify([
    rows.map(({ state, owner, deaths, isExpired, verdicts, stale }) => [
      state,
      owner,
      deaths,
      isExpired,
      verdicts,
      stale,
    ]),
    loops.map(({ phase, claimed }) => [
      phase,
      claimed.map(({ row, fence, claim, isUndone }) => [
        row,
        (rows[row]?.fence ?? 0) - fence,
        (rows[row]?.claim ?? 0) - claim,
        isUndone,
      ]),
    ]),
    Object.values(faults),
  ]);
}

export interface Explored {
  readonly states: number;
  /** The shortest way to a state that breaks the rule; null if there is none. */
  readonly broken: readonly string[] | null;
  /** The way to a state from which no end can be reached; null if there is none. */
  readonly stuck: readonly string[] | null;
  readonly ends: readonly ModelState[];
}

interface Seen {
  readonly state: ModelState;
  readonly from: string | null;
  readonly by: string;
}

const isEnd = ({ rows }: ModelState): boolean => rows.every(({ state }) => state !== 'waiting');

/** Visits every reachable state, in order of distance, and checks the rule in each. */
export function explore(
  start: ModelState,
  lane: Lane,
  rule: (state: ModelState) => boolean,
): Explored {
  const seen = new Map<string, Seen>([[keyOf(start), { state: start, from: null, by: 'start' }]]);
  const before = new Map<string, string[]>();
  const ends: string[] = [];
  for (const [key, { state }] of seen) {
    if (!rule(state))
      return { states: seen.size, broken: pathTo(seen, key), stuck: null, ends: [] };
    if (isEnd(state)) ends.push(key);
    for (const { name, to } of stepsOf(state, lane)) {
      const next = keyOf(to);
      if (!seen.has(next)) seen.set(next, { state: to, from: key, by: name });
      before.set(next, [...(before.get(next) ?? []), key]);
    }
  }
  const saved = new Set(ends);
  for (const key of saved) for (const earlier of before.get(key) ?? []) saved.add(earlier);
  const stuck = [...seen.keys()].find((key) => !saved.has(key));
  return {
    states: seen.size,
    broken: null,
    stuck: stuck === undefined ? null : pathTo(seen, stuck),
    ends: ends.flatMap((key) => seen.get(key)?.state ?? []),
  };
}

function pathTo(seen: ReadonlyMap<string, Seen>, key: string): readonly string[] {
  const names: string[] = [];
  for (let at: string | null = key; at !== null; at = seen.get(at)?.from ?? null)
    names.unshift(seen.get(at)?.by ?? '');
  return names;
}
