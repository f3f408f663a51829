import { subjectTargets } from '../../domain';
import type { KindView } from '../kind-view';

export const checksView: KindView = {
  name: 'checks',
  label: 'Checks',
  judges: 'Anything with rules: texts, JSON, tools, cost, language and personal data.',
  rule: 'The score is the weighted mean of the checks that have a result. It passes from the pass threshold up, if every check that must pass is met. If a check breaks there is no verdict.',
  targets: [...subjectTargets],
  verdicts: ['pass', 'fail'],
  scoreMax: 1,
  readsTurns: false,
  definedByProjects: true,
  retries: 2,
};
