import { countCodePoints, utf16Index } from '../../domain';
import type { RunSetting } from '../kind';
import type { TaskConfig } from './config';
import type { Measured } from './measured';
import type { TaskSubject } from './subject';
import type { TaskRuling } from './verdict';

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 300_000;
const OUTPUT_CHARS = 4_000;
const CRITERIA_MAX = 30;
const REASON_MAX = 800;

/** The wait before retry `n`, counted from 1: 10 s, 20 s, 40 s …, at most 300 s (VS-30). */
export function retryAfterMs(n: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, n - 1));
}

/**
 * The feedback for the agent, so that it revises the work instead of starting over (VS-28, VS-30).
 * It has the number of the attempt, the unmet criteria and the reasons, the failed checks, and the
 * work itself. Null if there is nothing to fix. It quotes the judge and the work verbatim: it goes
 * to the caller's own agent, never to another judge.
 */
export function feedbackOf(
  measured: Measured,
  ruling: TaskRuling,
  subject: TaskSubject,
  setting: RunSetting<TaskConfig>,
): string | null {
  if (ruling.verdict === null || ruling.verdict === 'pass') return null;
  const { used, budget } = setting.retries;
  const failedChecks = measured.checks.flatMap(({ score }) =>
    score?.met === false ? [`- ${score.name}: ${score.reasoning ?? ''}`] : [],
  );
  const unmet = measured.texts.flatMap(({ criterion, score }) =>
    score?.met === false
      ? [
          `- ${criterion.text}${criterion.must_pass ? ' (must be met)' : ''}, score ${twoDigits(score.value)}: ${short(score.reasoning ?? '')}`,
        ]
      : [],
  );
  const suggestions = measured.judgements
    .flatMap((each) => each.suggestions)
    .map((text) => `- ${short(text)}`);
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`${title}\n${limited(lines).join('\n')}`];
  const score = ruling.aggregate === null ? '' : ` with a score of ${twoDigits(ruling.aggregate)}`;
  return [
    `Attempt ${used + 1} of ${budget + 1} was judged "${ruling.verdict}"${score}. Revise what is there; do not start again, and keep what is right.`,
    ...(measured.screened === null ? [] : [`${measured.screened.message}.`]),
    ...part('These checks failed:', failedChecks),
    ...part('These criteria are not met:', unmet),
    ...part('Suggestions:', suggestions),
    ...(subject.task_output.trim() === ''
      ? []
      : [`Your previous output:\n${excerpt(subject.task_output)}`]),
  ]
    .join('\n\n')
    .toWellFormed();
}

const twoDigits = (value: number): string => value.toFixed(2);

function limited(lines: readonly string[]): readonly string[] {
  return lines.length <= CRITERIA_MAX
    ? lines
    : [...lines.slice(0, CRITERIA_MAX), `- and ${lines.length - CRITERIA_MAX} more`];
}

function short(text: string): string {
  return text.length > REASON_MAX ? `${text.slice(0, REASON_MAX)}…` : text;
}

function excerpt(text: string): string {
  const length = countCodePoints(text);
  return length <= OUTPUT_CHARS
    ? text
    : `${text.slice(0, utf16Index(text, OUTPUT_CHARS))}\n[${length - OUTPUT_CHARS} more characters]`;
}
