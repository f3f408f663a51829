import type { KindView } from '../kind-view';

export const agentOutputView: KindView = {
  name: 'agent-output',
  label: 'Agent output',
  judges: 'Outputs of agents: whether the output for a subgoal can be used in the synthesis.',
  rule: 'It passes with a valid form and a confidence from the pass threshold up. Below the retry threshold it fails at once; between the two it is retried. No model is called.',
  targets: ['trace'],
  verdicts: ['PASS', 'RETRY', 'FAIL'],
  scoreMax: 1,
  readsTurns: false,
  retries: 2,
};
