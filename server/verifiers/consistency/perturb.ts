import { screenOutput } from '../../evaluators/judges';
import { type Canary, filler, type Perturbations, reversed, swayingTexts } from '../perturbing';
import { comparableOutputs } from './plan';
import type { ConsistencyConfig, ConsistencySubject } from './subject';

/** Swaps the outputs of each pair. */
function reordered(subject: ConsistencySubject): ConsistencySubject | null {
  return comparableOutputs(subject).length < 2
    ? null
    : { ...subject, outputs: reversed(subject.outputs) };
}

/** Pads every meaningful output, since padding only one would make it recognizable. */
function padded(
  subject: ConsistencySubject,
  { output_chars: max }: ConsistencyConfig,
): ConsistencySubject | null {
  if (comparableOutputs(subject).length < 2) return null;
  const outputs = subject.outputs.map((each) =>
    screenOutput(each.output) === null ? { ...each, output: each.output + filler } : each,
  );
  return outputs.some(({ output }) => output.length > max) ? null : { ...subject, outputs };
}

/**
 * Outputs that contradict each other plainly. An empty output contradicts nothing (VS-42), so it is
 * not a canary here.
 */
const contradicting = (other: string): unknown => ({
  outputs: [
    {
      task_id: 'first',
      output:
        'The service was stopped at nine in the morning and stayed down for the whole day. Nobody could sign in.',
    },
    { task_id: 'second', output: other },
  ],
});
const second =
  'The service ran all day without any interruption, and everybody could sign in at any time.';

const canaries: readonly Canary[] = [
  {
    name: 'contradiction',
    what: 'Two outputs of which only one can be true',
    subject: contradicting(second),
  },
  ...swayingTexts(second)
    .filter(({ name }) => name !== 'constant')
    .map(({ name, what, text }) => ({
      name,
      what: what.replace('Work that was not done', 'Two outputs of which only one can be true'),
      subject: contradicting(text),
    })),
];

export const perturbConsistency: Perturbations<ConsistencySubject, ConsistencyConfig> = {
  reordered,
  padded,
  judgedChars: ({ outputs }) => outputs.reduce((sum, { output }) => sum + output.length, 0),
  canaries,
};
