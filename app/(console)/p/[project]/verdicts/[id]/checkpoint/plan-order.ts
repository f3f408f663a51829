import type { CheckpointView, VerdictDetail } from '@/app/_trpc/outputs';

type Decomposition = Extract<CheckpointView, { kind: 'decomposition' }>;
type Issue = VerdictDetail['issues'][number];

export interface PlacedSubgoal {
  readonly subgoal: Decomposition['subgoals'][number];
  /** Its index in the decomposition, from 0. */
  readonly index: number;
  readonly issues: readonly Issue[];
}

export interface PlanStep {
  /** Null for subgoals that no order names, and for all of them if there is no order. */
  readonly parallel: boolean | null;
  readonly subgoals: readonly PlacedSubgoal[];
  /** Ids in the order that no subgoal has. */
  readonly unknown: readonly string[];
}

/**
 * Subgoals in their order of execution, each once and with its issues; those that no order names
 * come last.
 */
export function stepsOf(
  { subgoals, order }: Pick<Decomposition, 'subgoals' | 'order'>,
  issues: readonly Issue[],
): readonly PlanStep[] {
  const about = grouped(issues, placeOf);
  const placed = subgoals.map(
    (subgoal, index): PlacedSubgoal => ({ subgoal, index, issues: about.get(index) ?? [] }),
  );
  const left = grouped(placed, ({ subgoal: { id } }) => id);
  const known = new Set(left.keys());
  const steps = order.map(({ parallel, subgoals: ids }): PlanStep => {
    const named = ids.flatMap((id) => {
      const found = left.get(id) ?? [];
      left.delete(id);
      return found;
    });
    return { parallel, subgoals: named, unknown: ids.filter((id) => !known.has(id)) };
  });
  const unordered = placed.filter(({ subgoal: { id } }) => left.has(id));
  return unordered.length === 0
    ? steps
    : [...steps, { parallel: null, subgoals: unordered, unknown: [] }];
}

/** Groups by a key; a decomposition may have thousands of subgoals. */
function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * `decomposition.subgoals[3].agent` is about the fourth subgoal; null if it concerns no particular
 * subgoal.
 */
function placeOf({ path }: Issue): number | null {
  const place = /\bsubgoals\[(\d+)\]/.exec(path ?? '')?.[1];
  return place === undefined ? null : Number(place);
}
