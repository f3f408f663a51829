import type { KindView } from '../kind-view';

export const turnView: KindView = {
  name: 'turn',
  label: 'Turn',
  judges:
    'Answers within their conversation: whether the model is on its way to the goal. The gateway asks before it delivers an answer.',
  rule: 'The verifier passes an answer, or steers with a note. A reply that cannot be read is requested once more; without a readable reply there is no verdict, and the answer is delivered unchanged.',
  targets: ['turn', 'session'],
  verdicts: ['pass', 'steer'],
  scoreMax: 1,
  readsTurns: false,
  retries: 2,
};
