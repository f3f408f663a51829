/** The order in which the subgoals of a decomposition run. */

export interface Subgoal {
  id: string;
  description: string;
  agent?: string | null;
  depends_on?: string[] | null;
  requires?: string[] | null;
  /** Without its result the request cannot be answered. */
  critical?: boolean | null;
  [member: string]: unknown;
}

export interface Phase {
  phase: 'sequential' | 'parallel';
  subgoals: string[];
}

export interface Decomposition {
  goal?: string;
  subgoals: Subgoal[];
  execution_order?: Phase[] | null;
  [member: string]: unknown;
}

export interface RunPhase {
  readonly parallel: boolean;
  readonly subgoals: readonly Subgoal[];
}

export interface RunOrder {
  readonly phases: readonly RunPhase[];
  /** Subgoals that depend on each other or on missing ones: no order can run them. */
  readonly stuck: readonly Subgoal[];
}

/**
 * The phases of `execution_order`; each id occurs once, with its first subgoal. Subgoals that it
 * does not name follow as soon as their dependencies are done: without an order, these are all
 * subgoals, layer by layer. Linear in subgoals and dependencies.
 */
export function orderSubgoals({ subgoals, execution_order: order }: Decomposition): RunOrder {
  const byId = new Map<string, Subgoal>();
  for (const subgoal of subgoals) if (!byId.has(subgoal.id)) byId.set(subgoal.id, subgoal);
  const remaining = new Map(byId);
  const phases: RunPhase[] = [];
  for (const { phase, subgoals: ids } of order ?? []) {
    const named: Subgoal[] = [];
    for (const id of ids) {
      const subgoal = remaining.get(id);
      if (subgoal !== undefined && remaining.delete(id)) named.push(subgoal);
    }
    if (named.length > 0) phases.push({ parallel: phase === 'parallel', subgoals: named });
  }
  const { layers, stuck } = layersOf(remaining, (id) => byId.has(id) && !remaining.has(id));
  return {
    phases: [...phases, ...layers.map((layer) => ({ parallel: true, subgoals: layer }))],
    stuck,
  };
}

/** Each layer depends only on earlier ones (Kahn, 1962). */
function layersOf(
  subgoals: ReadonlyMap<string, Subgoal>,
  isDone: (id: string) => boolean,
): { readonly layers: readonly (readonly Subgoal[])[]; readonly stuck: readonly Subgoal[] } {
  const waits = new Map<string, number>();
  const waiting = new Map<string, Subgoal[]>();
  for (const subgoal of subgoals.values()) {
    const needs = [...new Set(subgoal.depends_on ?? [])].filter((id) => !isDone(id));
    waits.set(subgoal.id, needs.length);
    for (const id of needs) waiting.set(id, [...(waiting.get(id) ?? []), subgoal]);
  }
  const layers: Subgoal[][] = [];
  let layer = [...subgoals.values()].filter(({ id }) => waits.get(id) === 0);
  while (layer.length > 0) {
    layers.push(layer);
    const next: Subgoal[] = [];
    for (const { id } of layer) {
      for (const subgoal of waiting.get(id) ?? []) {
        const count = (waits.get(subgoal.id) ?? 0) - 1;
        waits.set(subgoal.id, count);
        if (count === 0) next.push(subgoal);
      }
    }
    layer = next;
  }
  return { layers, stuck: [...subgoals.values()].filter(({ id }) => (waits.get(id) ?? 0) > 0) };
}
