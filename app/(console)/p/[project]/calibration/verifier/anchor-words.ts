import type { AnchorPlan, AnchorSet } from '@/app/_trpc/outputs';
import { costText } from '../../traces/amounts';

/** Texts about anchor sets. */

export type AnchorRun = AnchorSet['runs'][number];

export const isRunning = ({ state }: AnchorRun): boolean => state === 'running';

export const runStateText: Record<AnchorRun['state'], string> = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const subjects = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'subject' : 'subjects'}`;

/** `25 bad, 25 good`. */
export const sides = ({ good, bad }: { readonly good: number; readonly bad: number }): string =>
  `${bad.toLocaleString('en')} bad, ${good.toLocaleString('en')} good`;

/** The items of a run that no rate counts, by reason; null when every item counts. */
export function outsideText({ undecided, leftOut }: AnchorRun): string | null {
  const parts = [
    ...(undecided === 0 ? [] : [`${undecided.toLocaleString('en')} not decided`]),
    ...(leftOut === 0 ? [] : [`${leftOut.toLocaleString('en')} left out`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** The size and cost of a set, one sentence for each question to answer before it is frozen. */
export function planSentences({
  labelled,
  items,
  judges,
  whyNone,
  tokens,
  costUsd,
}: AnchorPlan): readonly string[] {
  const all = labelled.good + labelled.bad;
  const has = `${subjects(all)} ${all === 1 ? 'is' : 'are'} labelled and can be judged again: ${sides(labelled)}.`;
  const takes = `The set takes ${(items.good + items.bad).toLocaleString('en')}: ${sides(items)}.`;
  if (whyNone !== null && judges.length === 0)
    return [has, takes, `No judge is available now: ${whyNone}.`];
  if (judges.length === 0) return [has, takes, 'Judging it calls no model.'];
  const cost =
    costUsd === null
      ? 'an unknown cost: the price of a judge is not listed'
      : `at most ${costText(costUsd)}`;
  return [
    has,
    takes,
    `Judging it once takes about ${tokens.toLocaleString('en')} tokens of ${judges.join(', ')}, ${cost}.`,
  ];
}

/** Schedules offered by name; any other is written as cron. */
export const schedules = [
  { name: 'Manually only', cron: null },
  { name: 'Every Monday at 06:00', cron: '0 6 * * 1' },
  { name: 'Every day at 06:00', cron: '0 6 * * *' },
  { name: 'On the first of the month at 06:00', cron: '0 6 1 * *' },
] as const;

/** `every Monday at 06:00, Europe/Berlin`. */
export function scheduleText({ cron, zone }: Pick<AnchorSet, 'cron' | 'zone'>): string {
  const named = schedules.find((each) => each.cron === cron)?.name;
  const when =
    named === undefined ? `at ${cron}` : `${named.slice(0, 1).toLowerCase()}${named.slice(1)}`;
  return cron === null ? when : `${when}, ${zone}`;
}
