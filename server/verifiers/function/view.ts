import type { KindView } from '../kind-view';
import { subjectTargets } from '../../domain';

export const functionView: KindView = {
  name: 'function',
  label: 'Function',
  judges: 'Results of the project’s own code in Python or JavaScript.',
  rule: 'It passes from the pass threshold up, and if each score that must pass does so too. Without a score there is no verdict; a function that fails is reviewed.',
  targets: subjectTargets,
  verdicts: ['pass', 'fail'],
  scoreMax: 1,
  readsTurns: false,
  definedByProjects: true,
  retries: 2,
};
