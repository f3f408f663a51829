import type { KindView } from '../kind-view';

export const decompositionView: KindView = {
  name: 'decomposition',
  label: 'Decomposition',
  judges:
    'Plans: whether the subgoals of a query cover it, agree with each other, use what is available and can be worked on.',
  rule: 'Completeness counts 0.4; consistency, groundedness and routability count 0.2 each. It passes from the pass threshold up, fails below the retry threshold, and is retried between the two. A cycle, a dangling reference, a duplicate id or an empty part never passes.',
  targets: ['trace'],
  verdicts: ['PASS', 'RETRY', 'FAIL'],
  scoreMax: 1,
  readsTurns: false,
  retries: 2,
};
