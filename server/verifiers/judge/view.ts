import { subjectTargets } from '../../domain';
import type { KindView } from '../kind-view';

export const judgeView: KindView = {
  name: 'judge',
  label: 'Judge',
  judges: 'Any subject, by a prompt that you write.',
  rule: 'It passes from the pass threshold up, for the value and for each criterion that must pass. An answer without a value gives no verdict.',
  targets: [...subjectTargets],
  verdicts: ['pass', 'fail'],
  scoreMax: 1,
  readsTurns: false,
  definedByProjects: true,
  retries: 2,
};
