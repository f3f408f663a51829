import type { KindView } from '../kind-view';

export const synthesisView: KindView = {
  name: 'synthesis',
  label: 'Synthesis',
  judges:
    'Answers made from the outputs of several agents: whether each claim is supported by an output.',
  rule: 'It passes if the share of supported claims reaches the pass threshold. Below it the answer is regenerated while retries last; then the outputs replace it. Coherence and completeness are reported and do not decide. Without claims there is no verdict.',
  targets: ['trace'],
  verdicts: ['PASS', 'RETRY', 'FAIL'],
  scoreMax: 1,
  readsTurns: false,
  retries: 2,
};
