import type { KindView } from '../kind-view';

export const codeView: KindView = {
  name: 'code',
  label: 'Code',
  judges:
    'Code written on request: whether its files, framework and patterns match the request, and whether it compiles.',
  rule: 'It passes from the threshold of its model’s tier up, in points of 100. A wrong framework or a failed test that was sent along always fails. If compilers could not run and would have decided, there is no verdict.',
  targets: ['turn', 'trace'],
  verdicts: ['PASS', 'FAIL'],
  scoreMax: 100,
  readsTurns: false,
  retries: 2,
};
