import type { TrialHead, TrialPlan } from '@/app/_trpc/outputs';
import { costText } from '../../traces/amounts';

/** What is said of trials, here and where a version is promoted. */

export const isActive = ({ state }: Pick<TrialHead, 'state'>): boolean => state === 'waiting' || state === 'running';

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

/** At most, since checks may decide without a judge. */
function costAtMost(costUsd: number | null): string {
  return costUsd === null ? 'a cost that is not known: the price of a judge is not listed' : `at most ${costText(costUsd)}`;
}

/** What a trial would take, in one sentence for each question that a person has before money is spent. */
export function planSentences(plan: TrialPlan, kind: string): readonly string[] {
  const { subjects, good, bad, looked, production, productionRuns, judges, tokens, costUsd } = plan;
  if (subjects === 0) {
    const found =
      looked === 0
        ? `No ${kind} of this project has a label yet`
        : `None of the ${plural(looked, 'labelled subject')} asks with this prompt`;
    return [`${found}: rule on verdicts, or send outcomes.`];
  }
  const twice =
    production === null
      ? 'It is the version that runs, so there is no other to compare with.'
      : productionRuns === 0
        ? 'All have a stored verdict of the version that runs.'
        : `${plural(productionRuns, 'of them has', 'of them have')} no verdict of the version that runs, and ${productionRuns === 1 ? 'is' : 'are'} judged with it too.`;
  return [
    `${plural(subjects, 'labelled subject')}: ${good.toLocaleString('en')} good, ${bad.toLocaleString('en')} bad.`,
    twice,
    `About ${plural(tokens, 'token')} of ${judges.join(', ')}, ${costAtMost(costUsd)}.`,
  ];
}
