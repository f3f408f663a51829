import type { KindView } from '../kind-view';

export const integrityView: KindView = {
  name: 'integrity',
  label: 'Integrity',
  judges: 'Turns: whether every figure of an answer is in a source of the same turn.',
  rule: 'An answer is sourced if every figure has a source. No threshold is used.',
  targets: ['turn', 'trace'],
  verdicts: ['sourced', 'unsourced'],
  scoreMax: 1,
  readsTurns: true,
  retries: 1,
};
