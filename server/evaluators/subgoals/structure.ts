import { type Evaluation, measuredBy } from '../evaluator';
import { checkAgents } from './agents';
import type { Decomposition, PlanContext } from './decomposition';
import { checkDependencies } from './dependencies';
import { type SubgoalFinding, Findings } from './findings';
import { checkOrder } from './order';
import { checkParts } from './parts';

export const STRUCTURE = 'subgoals.structure@1';
export const STRUCTURE_TITLE = 'The parts fit together';

export interface StructureDetail {
  readonly findings: readonly SubgoalFinding[];
  /** Whether there is a fault that no score outweighs. */
  readonly faulty: boolean;
}

/**
 * Faults of a decomposition that can be found without a model (SOAR-14, SOAR-15): 1 if none of them
 * prevents a pass, else 0. Linear in its parts; 20,000 subgoals are fine.
 */
export function checkStructure(
  decomposition: Decomposition,
  around: PlanContext,
): Evaluation<StructureDetail> {
  const found = new Findings();
  checkParts(decomposition, found);
  checkDependencies(decomposition, found);
  checkOrder(decomposition, found);
  checkAgents(decomposition, around, found);
  checkNumber(decomposition, around, found);
  const findings = found.list();
  const faulty = findings.some((each) => each.faulty);
  const faults = findings.filter((each) => each.faulty).length;
  const verdictText = faulty
    ? `${faults} faults that no score outweighs, first: ${findings[0]?.message ?? ''}`
    : 'no fault';
  const reasoning = `${decomposition.subgoals.length} subgoals; ${verdictText}; ${findings.length - faults} further issues`;
  return {
    score: {
      ...measuredBy(STRUCTURE, STRUCTURE_TITLE),
      state: 'scored',
      value: faulty ? 0 : 1,
      met: !faulty,
      reasoning,
    },
    detail: { findings, faulty },
  };
}

function checkNumber(
  { subgoals }: Decomposition,
  { subgoalsMax: subgoalsMost, limitOf }: PlanContext,
  findings: Findings,
): void {
  if (subgoals.length <= subgoalsMost) return;
  findings.add({
    code: 'too_many_subgoals',
    message: `${subgoals.length} subgoals are many for a query that is ${limitOf}: the limit is ${subgoalsMost}`,
    severity: 'low',
    faulty: false,
    path: 'decomposition.subgoals',
    advice: 'Put subgoals together that are done by the same agent in one go.',
  });
}
