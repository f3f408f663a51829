import type { Screened } from '../../evaluators/judges';
import { thresholdOf } from '../asking';
import type { JudgeDetail } from './detail';
import type { JudgeSetting } from './question';

const reasonChars = 1_500;

/**
 * Feedback for the agent whose work failed, so that it revises the work (VS-28): the score, and the
 * judge's reasons for each unmet criterion or for the whole score. It quotes the judge and goes to
 * the caller's own agent, never to another judge.
 */
export function feedbackOf(
  { reasoning, criteria, choice }: JudgeDetail,
  screened: Screened | null,
  value: number | null,
  setting: JudgeSetting,
): string {
  const { config, retries } = setting;
  const threshold = thresholdOf(setting, 'pass_threshold', 0.5);
  const answer = choice === null ? '' : ` ("${choice}")`;
  const score = value === null ? '' : `: ${value.toFixed(2)}${answer}, pass from ${threshold}`;
  const unmet = criteria.flatMap(({ name, met, must_pass, reasoning: why }) =>
    met === false ? [`- ${name}${must_pass ? ' (must pass)' : ''}: ${short(why ?? '')}`] : [],
  );
  return [
    `Attempt ${retries.used + 1} of ${retries.budget + 1} failed "${config.name}"${score}. Revise the work; keep the parts that are right.`,
    ...(screened === null ? [] : [`${screened.message}.`]),
    ...(unmet.length > 0 ? [`These criteria are not met:\n${unmet.join('\n')}`] : []),
    ...(unmet.length === 0 && reasoning !== null ? [`Reasons:\n${short(reasoning)}`] : []),
  ]
    .join('\n\n')
    .toWellFormed();
}

const short = (text: string): string =>
  text.length > reasonChars ? `${text.slice(0, reasonChars)}…` : text;
