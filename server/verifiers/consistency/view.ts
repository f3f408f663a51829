import type { KindView } from '../kind-view';

export const consistencyView: KindView = {
  name: 'consistency',
  label: 'Consistency',
  judges: 'Outputs of related tasks: whether each pair agrees.',
  rule: 'They are inconsistent if a pair is below the pass threshold or has a severe issue; the score is that of the worst pair. If a pair could not be judged there is no verdict, unless another pair is inconsistent.',
  targets: ['session', 'mission'],
  verdicts: ['consistent', 'inconsistent'],
  scoreMax: 1,
  readsTurns: false,
  retries: 2,
};
