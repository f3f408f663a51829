import type { KindView } from '../kind-view';

export const taskView: KindView = {
  name: 'task',
  label: 'Task',
  judges: 'Tasks: whether an output meets its criteria.',
  rule: 'It fails below the fail threshold, or if a required criterion is not met. It passes from the pass threshold up, with all checks met and enough confidence. Between the two it is partial. If a judge fails there is no verdict.',
  targets: ['turn', 'trace'],
  verdicts: ['pass', 'partial', 'fail'],
  scoreMax: 1,
  readsTurns: false,
  retries: 2,
};
