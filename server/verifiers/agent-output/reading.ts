import { pipelineSpans, planIn, queryOf } from '../subjects/pipeline';
import { type Material, noSubject, type Read, readBy, type Readings } from '../subjects/reading';
import { AgentOutputSubject } from './subject';

/** The last agent output of a trace, and its subgoal if a plan names one. */
export const agentOutputReadings: Readings<AgentOutputSubject> = { trace: readOutput };

function readOutput(material: Material): Read<AgentOutputSubject> {
  const found = pipelineSpans(material, 'agent', 'agent-output');
  const last = found.at(-1);
  if (last === undefined)
    return noSubject(
      'no_agent_output',
      'no span has assay.subject.kind = agent-output, and none is an agent of a known framework',
    );
  const query = queryOf(material, last.span);
  const plans = pipelineSpans(material, 'plan', 'decomposition');
  const subgoals = plans.flatMap(({ output }) => planIn(output, query)?.subgoals ?? []);
  const planned = subgoals.find(({ agent }) => agent === last.agent);
  const { id, description } = planned ?? { id: last.span.id, description: query };
  return readBy(AgentOutputSubject, {
    subgoal: { id, description },
    output: last.output,
    agents_available: [...new Set(found.map(({ agent }) => agent))],
  });
}
