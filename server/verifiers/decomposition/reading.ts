import { pipelineSpans, planIn, queryOf } from '../subjects/pipeline';
import { type Material, noSubject, type Read, readBy, type Readings } from '../subjects/reading';
import { DecompositionSubject } from './subject';

/** The first plan of a trace. */
export const decompositionReadings: Readings<DecompositionSubject> = { trace: readPlan };

function readPlan(material: Material): Read<DecompositionSubject> {
  const found = pipelineSpans(material, 'plan', 'decomposition');
  if (found.length === 0)
    return noSubject(
      'no_plan',
      'no span has assay.subject.kind = decomposition, and none is a planner of a known framework',
    );
  for (const { span, output } of found) {
    const query = queryOf(material, span);
    const plan = planIn(output, query);
    if (plan !== null) return readBy(DecompositionSubject, { query, decomposition: plan });
  }
  return noSubject('no_plan', 'the planner gave no list of subgoals, steps or tasks');
}
