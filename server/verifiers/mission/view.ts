import type { KindView } from '../kind-view';

export const missionView: KindView = {
  name: 'mission',
  label: 'Mission',
  judges: 'Missions: whether the tasks together reached the goal.',
  rule: 'The judge’s score of the whole decides. It passes from the pass threshold up, with enough confidence; it fails below the fail threshold, or if no task has an output; between the two it is partial.',
  targets: ['mission'],
  verdicts: ['pass', 'partial', 'fail'],
  scoreMax: 1,
  readsTurns: false,
  retries: 2,
};
