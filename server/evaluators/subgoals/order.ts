import type { Decomposition } from './decomposition';
import { type Findings, quotedName } from './findings';

/**
 * Compares the execution order with the subgoals and their dependencies (SOAR-14). Without an order
 * there is nothing to check. Linear.
 */
export function checkOrder(decomposition: Decomposition, findings: Findings): void {
  const { subgoals, execution_order: order } = decomposition;
  if (order.length === 0) return;
  const ranks = rankSubgoals(decomposition, findings);
  for (const { id } of subgoals) {
    if (ranks.has(id) || id.trim() === '') continue;
    findings.add({
      code: 'left_out_of_order',
      message: `Subgoal ${quotedName(id)} has no place in the execution order`,
      severity: 'medium',
      faulty: false,
      path: 'decomposition.execution_order',
      advice: `Give ${quotedName(id)} a place in the execution order.`,
    });
  }
  for (const { id, depends_on } of subgoals) {
    const own = ranks.get(id);
    if (own === undefined) continue;
    for (const need of new Set(depends_on)) {
      const before = ranks.get(need);
      if (before === undefined || before < own || need === id) continue;
      const how = before === own ? 'is worked on at the same time as' : 'comes before';
      findings.add({
        code: 'contradictory_order',
        message: `Subgoal ${quotedName(id)} ${how} ${quotedName(need)}, which it depends on`,
        severity: 'high',
        faulty: false,
        path: 'decomposition.execution_order',
        advice: `Put ${quotedName(need)} into an earlier place than ${quotedName(id)}.`,
      });
    }
  }
}

/** The position of each subgoal; the same for all of one parallel phase. */
function rankSubgoals(
  { subgoals, execution_order: order }: Decomposition,
  findings: Findings,
): ReadonlyMap<string, number> {
  const known = new Set(subgoals.map(({ id }) => id));
  const ranks = new Map<string, number>();
  let rank = 0;
  for (const [i, { phase, subgoals: ids }] of order.entries()) {
    const path = `decomposition.execution_order[${i}].subgoals`;
    rank++;
    for (const id of ids) {
      if (phase === 'sequential') rank++;
      if (!known.has(id)) {
        findings.add({
          code: 'unknown_in_order',
          message: `The execution order names ${quotedName(id)}, which is no subgoal`,
          severity: 'high',
          faulty: true,
          path,
          advice: `Add a subgoal ${quotedName(id)}, or take it out of the execution order.`,
        });
      } else if (ranks.has(id)) {
        findings.add({
          code: 'ordered_twice',
          message: `Subgoal ${quotedName(id)} is in the execution order more than once`,
          severity: 'medium',
          faulty: false,
          path,
          advice: `Name ${quotedName(id)} once in the execution order.`,
        });
      } else ranks.set(id, rank);
    }
  }
  return ranks;
}
