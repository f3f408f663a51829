import { lineOf } from '../asking';
import { CheckpointBasis, rederiveCheckpoint, retryField } from '../checkpoint';
import { rederiveBy } from '../rederive';
import type { Kind } from '../kind';
import { planAgentOutput } from './plan';
import { agentOutputReadings } from './reading';
import { readOutput } from './format';
import { AgentOutputConfig, type AgentOutputDetail, AgentOutputSubject } from './subject';
import { adviseAgentOutput, decideAgentOutput } from './verdict';
import { showAgentOutput } from './page';
import { agentOutputView } from './view';

/** Whether the synthesis can use an agent's output for a subgoal (SOAR-16 to SOAR-20). */
export const agentOutput: Kind<AgentOutputSubject, AgentOutputConfig, AgentOutputDetail> = {
  ...agentOutputView,
  showCheckpoint: showAgentOutput,
  config: AgentOutputConfig,
  fields: [retryField],
  subject: AgentOutputSubject,
  readings: agentOutputReadings,
  retryBudget: ({ retry_budget }) => retry_budget,
  unbudgeted: true,
  pipelineOf: () => ({ query: null, complexity: null }),
  excerptOf: ({ subgoal, output }) =>
    lineOf(subgoal.description === '' ? readOutput(output).summary : subgoal.description),
  promptSlugs: () => [],
  estimate: () => ({ inputTokens: 0, outputTokens: 0 }),
  cacheKey: () => null,
  plan: planAgentOutput,
  rederive: rederiveBy(CheckpointBasis, rederiveCheckpoint),
  decide: decideAgentOutput,
  advisory: adviseAgentOutput,
};
