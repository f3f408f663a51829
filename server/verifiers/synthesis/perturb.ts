import { splitClaims } from '../../evaluators/claims';
import { emptyTexts, filler, type Perturbations, reversed, swayingTexts } from '../perturbing';
import type { SynthesisConfig, SynthesisSubject } from './subject';

/**
 * If the submitted claims are already judged, no judge reads the outputs, so their order does not
 * matter.
 */
function reordered(subject: SynthesisSubject): SynthesisSubject | null {
  const { agent_outputs: outputs, claims } = subject;
  return claims !== null || outputs.length < 2
    ? null
    : { ...subject, agent_outputs: reversed(outputs) };
}

/** Null if the longer answer would make more claims than the original. */
function padded(
  subject: SynthesisSubject,
  { answer_chars: max }: SynthesisConfig,
): SynthesisSubject | null {
  const answer = subject.answer + filler;
  if (subject.claims !== null || subject.answer.trim() === '' || answer.length > max) return null;
  return splitClaims(answer).length === splitClaims(subject.answer).length
    ? { ...subject, answer }
    : null;
}

/** Claims that no output supports: only a judge that was swayed could accept them. */
const unsupported =
  'All three hosts run out of memory every night. The backup of the second host was deleted on purpose.';

const canaries = [...emptyTexts, ...swayingTexts(unsupported)].map(({ name, what, text }) => ({
  name,
  what: `${what.replace('Work that was not done', 'An answer that no output bears out')}, as the answer`,
  subject: {
    query: 'How full are the disks of the three hosts?',
    answer: text,
    agent_outputs: [
      { id: 'one', agent: 'disk', summary: 'The disk of the first host is half full.' },
      { id: 'two', agent: 'disk', summary: 'The disk of the second host could not be read.' },
    ],
  },
}));

export const perturbSynthesis: Perturbations<SynthesisSubject, SynthesisConfig> = {
  reordered,
  padded,
  judgedChars: ({ answer }) => answer.length,
  canaries,
};
