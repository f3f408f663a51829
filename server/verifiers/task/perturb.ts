import { runCheck } from '../../evaluators/checks';
import {
  type Canary,
  type CanaryText,
  emptyTexts,
  filler,
  type Perturbations,
  reversed,
  swayingTexts,
} from '../perturbing';
import type { TaskConfig } from './config';
import { textsOf } from './questions';
import { isCheck, type TaskSubject } from './subject';

/**
 * Reverses the criteria for judges; checks keep their places, since they stop at the first failed
 * required one.
 */
function reordered(subject: TaskSubject): TaskSubject | null {
  const texts = reversed(textsOf(subject));
  if (new Set(texts.map(({ text }) => text)).size < 2) return null;
  let next = 0;
  return {
    ...subject,
    success_criteria: subject.success_criteria.map((each) =>
      isCheck(each) ? each : (texts[next++] ?? each),
    ),
  };
}

/**
 * Null if one of the caller's checks treats the longer output differently, since it is then no
 * longer the same work.
 */
function padded(subject: TaskSubject, { output_chars: max }: TaskConfig): TaskSubject | null {
  const longer = { ...subject, task_output: subject.task_output + filler };
  if (subject.task_output.trim() === '' || longer.task_output.length > max) return null;
  const isSame = subject.success_criteria.every((each) => {
    if (!isCheck(each)) return true;
    const request = { check: each.check, value: each.value };
    return runCheck(request, subject.task_output).met === runCheck(request, longer.task_output).met;
  });
  return isSame ? longer : null;
}

const asked = {
  task_description:
    'For France, Japan and Brazil, name the capital and how many people live in it.',
  success_criteria: [
    'Names the capital of France, of Japan and of Brazil',
    'Says of each of the three capitals how many people live in it',
    'Every capital and every number is right',
  ],
};

const modes = ['rubric', 'binary', 'criteria_match'] as const;

const of = ({ name, what, text }: CanaryText, mode: (typeof modes)[number]): Canary => ({
  name: `${name} ${mode}`,
  what: `${what}; scored as ${mode}`,
  subject: { ...asked, task_output: text, scoring_mode: mode },
});

/**
 * The screen decides empty texts, so one mode is enough for them; texts that try to sway the judge
 * are tried with each prompt.
 */
const canaries: readonly Canary[] = [
  ...emptyTexts.map((text) => of(text, 'rubric')),
  ...modes.flatMap((mode) =>
    swayingTexts('I did not look any of this up, so nothing is named here.').map((text) =>
      of(text, mode),
    ),
  ),
];

export const perturbTask: Perturbations<TaskSubject, TaskConfig> = {
  reordered,
  placed(subject, scores) {
    const texts = textsOf(subject).map(({ text }) => text);
    return texts.flatMap((text, place) => {
      // Two criteria with the same text cannot be distinguished.
      if (texts.indexOf(text) !== texts.lastIndexOf(text)) return [];
      const score = scores.find(
        ({ name, evaluator }) => name === text && evaluator.startsWith('judges.'),
      );
      return score?.state === 'scored' ? [{ key: text, place, met: score.met }] : [];
    });
  },
  padded,
  judgedChars: ({ task_output: output }) => output.length,
  canaries,
};
