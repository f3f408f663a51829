import type { CheckpointView, VerdictDetail } from '@/app/_trpc/outputs';

type Decomposition = Extract<CheckpointView, { kind: 'decomposition' }>;
type Issue = VerdictDetail['issues'][number];

export interface PlacedSubgoal {
  readonly subgoal: Decomposition['subgoals'][number];
  /** Its place in the decomposition, from 0. */
  readonly index: number;
  readonly issues: readonly Issue[];
}

export interface PlanStep {
  /** Null: what no order names, or all where there is none. */
  readonly parallel: boolean | null;
  readonly subgoals: readonly PlacedSubgoal[];
  /** Ids that are named and that no subgoal bears. */
  readonly unknown: readonly string[];
}

/**
 * Subgoals in the order in which they are to be run, each once and with the issues about it; what
 * no order names comes last.
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
  const rest = placed.filter(({ subgoal: { id } }) => left.has(id));
  return rest.length === 0 ? steps : [...steps, { parallel: null, subgoals: rest, unknown: [] }];
}

/** Lists by what they have in common; a decomposition may have thousands of subgoals. */
function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** `decomposition.subgoals[3].agent` is about the fourth; null is about none of them. */
function placeOf({ path }: Issue): number | null {
  const place = /\bsubgoals\[(\d+)\]/.exec(path ?? '')?.[1];
  return place === undefined ? null : Number(place);
}
