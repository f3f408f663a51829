import type { Decomposition } from './decomposition';
import { type Findings, quotedName } from './findings';
import { isBlank } from '../../domain';
import { partName } from './parts';

/**
 * Dependencies on missing subgoals, and cycles (SOAR-14). Linear in subgoals and dependencies, and
 * without recursion.
 */
export function checkDependencies({ subgoals }: Decomposition, findings: Findings): void {
  const needs = new Map<string, string[]>(
    subgoals.filter(({ id }) => !isBlank(id)).map(({ id }) => [id, []]),
  );
  for (const [i, { id, depends_on }] of subgoals.entries()) {
    for (const need of new Set(depends_on)) {
      if (needs.has(need)) {
        needs.get(id)?.push(need);
        continue;
      }
      findings.add({
        code: 'dangling_dependency',
        message: `Subgoal ${isBlank(id) ? i + 1 : quotedName(id)} depends on ${quotedName(need)}, which is no subgoal`,
        severity: 'high',
        faulty: true,
        path: `decomposition.subgoals[${i}].depends_on`,
        advice: `${isBlank(need) ? 'Name a subgoal by its id' : `Add a subgoal ${quotedName(need)}`}, or take it out of what ${partName(id, i)} depends on.`,
      });
    }
  }
  for (const circle of findCircles(needs)) {
    const shown =
      circle.length <= SHOWN
        ? circle
        : [...circle.slice(0, SHOWN - 1), `… (${circle.length} subgoals)`];
    const [first = ''] = circle;
    findings.add({
      code: 'dependency_cycle',
      message:
        circle.length === 1
          ? `Subgoal ${quotedName(first)} depends on itself`
          : `These subgoals depend on each other in a circle: ${[...shown, first].map((id) => (id.startsWith('… (') ? id : short(id))).join(' → ')}`,
      severity: 'high',
      faulty: true,
      path: 'decomposition.subgoals',
      advice: `Break the circle at ${quotedName(first)}: one of these subgoals must be possible before the others are done.`,
    });
  }
}

const SHOWN = 8;

const short = (id: string): string => quotedName(id).slice(1, -1);

/**
 * Cycles of a graph that maps each node to its dependencies, each node in at most one of them;
 * empty if and only if the graph has none. Nodes without remaining dependencies are removed until
 * none is left to remove (Kahn); every remaining node then depends on a remaining node, so
 * following dependencies must return to a visited node.
 */
export function findCircles(
  needs: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const left = unresolved(needs);
  const walkOf = new Map<string, number>();
  const circles: string[][] = [];
  let walk = 0;
  for (const start of left) {
    walk++;
    const way: string[] = [];
    let at: string | undefined = start;
    while (at !== undefined && !walkOf.has(at)) {
      walkOf.set(at, walk);
      way.push(at);
      at = needs.get(at)?.find((need) => left.has(need));
    }
    if (at !== undefined && walkOf.get(at) === walk) circles.push(way.slice(way.indexOf(at)));
  }
  return circles;
}

/** The nodes on a cycle, and those that depend on one of them. */
function unresolved(needs: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const count = new Map<string, number>();
  const neededBy = new Map<string, string[]>();
  for (const [id, all] of needs) {
    count.set(id, all.length);
    for (const need of all) {
      const known = neededBy.get(need);
      if (known === undefined) neededBy.set(need, [id]);
      else known.push(id);
    }
  }
  const free = [...needs.keys()].filter((id) => count.get(id) === 0);
  const left = new Set(needs.keys());
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    left.delete(id);
    for (const each of neededBy.get(id) ?? []) {
      const still = (count.get(each) ?? 0) - 1;
      count.set(each, still);
      if (still === 0) free.push(each);
    }
  }
  return left;
}
