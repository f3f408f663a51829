import { isBlank } from '../../domain';
import type { Decomposition } from './decomposition';
import { type Findings, quotedName } from './findings';

/**
 * The required parts of every decomposition: a goal, subgoals, an action in each, and unique ids
 * (SOAR-14).
 */
export function checkParts({ goal, subgoals }: Decomposition, findings: Findings): void {
  const fault = { severity: 'high', faulty: true } as const;
  if (isBlank(goal)) {
    findings.add({
      ...fault,
      code: 'empty_goal',
      message: 'The decomposition has no goal',
      path: 'decomposition.goal',
      advice: 'State in one sentence what is reached when all subgoals are done.',
    });
  }
  if (subgoals.length === 0) {
    findings.add({
      ...fault,
      code: 'no_subgoals',
      message: 'The decomposition has no subgoals',
      path: 'decomposition.subgoals',
      advice: 'Cut the query into subgoals, each with an id, a description and an agent.',
    });
  }
  const seen = new Set<string>();
  for (const [i, { id, description }] of subgoals.entries()) {
    const path = `decomposition.subgoals[${i}]`;
    if (isBlank(description)) {
      findings.add({
        ...fault,
        code: 'empty_description',
        message: `${partName(id, i)} does not say what to do`,
        path: `${path}.description`,
        advice: `Describe what ${partName(id, i)} is to do, or take it out.`,
      });
    }
    if (isBlank(id)) {
      findings.add({
        ...fault,
        code: 'missing_id',
        message: `Subgoal ${i + 1} has no id: nothing can depend on it`,
        path: `${path}.id`,
        advice: 'Give every subgoal an id of its own.',
      });
    } else if (seen.has(id)) {
      findings.add({
        ...fault,
        code: 'duplicate_id',
        message: `The id ${quotedName(id)} is that of more than one subgoal`,
        path: `${path}.id`,
        advice: `Give each subgoal an id of its own: ${quotedName(id)} belongs to several.`,
      });
    }
    seen.add(id);
  }
}

/** A subgoal in a sentence: by its id, or by its position if it has none. */
export const partName = (id: string, index: number): string =>
  isBlank(id) ? `subgoal ${index + 1}` : `subgoal ${quotedName(id)}`;
