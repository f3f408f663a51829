/** A subgoal of a decomposition, with the members that could be read. */
export interface ComparedSubgoal {
  readonly id: string;
  readonly description: string;
  readonly agent: string | null;
  readonly dependsOn: readonly string[];
}

/** The differences between one attempt and the previous one. */
export interface SubgoalChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly altered: readonly { readonly id: string; readonly fields: readonly SubgoalField[] }[];
}

const fields = ['description', 'agent', 'dependsOn'] as const;
export type SubgoalField = (typeof fields)[number];

/**
 * Matches subgoals by their id, in any order; if two have the same id, the first counts. Runs in
 * linear time.
 */
export function changesOfSubgoals(
  before: readonly ComparedSubgoal[],
  after: readonly ComparedSubgoal[],
): SubgoalChanges {
  const [was, is] = [byId(before), byId(after)];
  return {
    added: [...is.keys()].filter((id) => !was.has(id)),
    removed: [...was.keys()].filter((id) => !is.has(id)),
    altered: [...is.values()].flatMap((subgoal) => {
      const earlier = was.get(subgoal.id);
      const altered =
        earlier === undefined
          ? []
          : fields.filter((field) => textOf(subgoal, field) !== textOf(earlier, field));
      return altered.length === 0 ? [] : [{ id: subgoal.id, fields: altered }];
    }),
  };
}

function byId(subgoals: readonly ComparedSubgoal[]): Map<string, ComparedSubgoal> {
  const found = new Map<string, ComparedSubgoal>();
  for (const subgoal of subgoals) if (!found.has(subgoal.id)) found.set(subgoal.id, subgoal);
  return found;
}

function textOf(subgoal: ComparedSubgoal, field: SubgoalField): string | null {
  // The dependencies of a subgoal have no order.
  return field === 'dependsOn'
    ? JSON.stringify([...new Set(subgoal.dependsOn)].toSorted())
    : subgoal[field];
}
