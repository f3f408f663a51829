import type { TrialHead, TrialPlan } from '@/app/_trpc/outputs';
import { costText } from '../../traces/amounts';
import { textName } from './text-name';

/** Texts about trials, here and in promotions. */

export const isActive = ({ state }: Pick<TrialHead, 'state'>): boolean =>
  state === 'waiting' || state === 'running';

export const stateText: Record<TrialHead['state'], string> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

export function sentenceCase(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** An option in a few words: `version 2 by openai:gpt-4o`. */
export function optionText(version: number, judge: string | null): string {
  return judge === null ? textName(version) : `${textName(version)} by ${judge}`;
}

/** Column headings of both options; `other` is null when there is none. */
export function optionNames(
  trial: Pick<TrialHead, 'version' | 'judge' | 'productionVersion' | 'againstJudge'>,
): {
  readonly candidate: string;
  readonly other: string | null;
} {
  const { version, judge, productionVersion, againstJudge } = trial;
  return {
    candidate: sentenceCase(optionText(version, judge)),
    other:
      productionVersion === null ? null : sentenceCase(optionText(productionVersion, againstJudge)),
  };
}

/** At most, since checks may decide without a judge. */
function maxCostText(costUsd: number | null): string {
  return costUsd === null
    ? 'an unknown cost: the price of a judge is not listed'
    : `at most ${costText(costUsd)}`;
}

/** The estimate of a trial, one sentence for each question to answer before money is spent. */
export function planSentences(plan: TrialPlan, kind: string): readonly string[] {
  const {
    subjects,
    good,
    bad,
    looked,
    production,
    productionRuns,
    againstJudge,
    heldOut,
    judges,
    tokens,
    costUsd,
  } = plan;
  if (subjects === 0) {
    const found =
      looked === 0
        ? `No ${kind} of this project ${heldOut ? 'has a held-out label' : 'has a label'} yet`
        : `None of the ${plural(looked, 'labelled subject')} uses this prompt and these judges`;
    return [`${found}: rule on verdicts, or send outcomes.`];
  }
  const other = production === null ? '' : optionText(production, againstJudge);
  const twice =
    production === null
      ? 'It is the current version, so there is no other to compare with.'
      : productionRuns === 0
        ? `All have a stored verdict of ${other}.`
        : `${plural(productionRuns, 'of them is', 'of them are')} judged with ${other} too.`;
  return [
    `${plural(subjects, heldOut ? 'held-out subject' : 'labelled subject')}: ${good.toLocaleString('en')} good, ${bad.toLocaleString('en')} bad.`,
    twice,
    `About ${plural(tokens, 'token')} of ${judges.join(', ')}, ${maxCostText(costUsd)}.`,
  ];
}
