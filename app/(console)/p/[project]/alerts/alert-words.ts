import type { Alert, AlertEvent, AlertRule } from '@/app/_trpc/outputs';
import { plainText } from '@/app/_ui/visible-text';
import { type AlertFacts, alertFacts } from '@/server/alerts/input';
import { exactDuration } from './duration';

type Kind = Alert['kind'];

const eventWords: Record<AlertEvent['event'], string> = {
  began: 'Began',
  lasts: 'Still alerting',
  acknowledged: 'Acknowledged',
  recovered: 'Recovered',
  no_data: 'No data',
};

export const severityWords: Record<Alert['severity'], string> = {
  high: 'high',
  medium: 'medium',
  low: 'low',
};

/** The event in a word that fits its kind. */
export function eventWord({ kind, event }: Pick<AlertEvent, 'kind' | 'event'>): string {
  return event === 'no_data'
    ? (alertFacts[kind].notWatched ?? eventWords[event])
    : eventWords[event];
}

/** The word of a state, if it is not the usual one: trust that was never reached is not lost. */
export function stateWord({ kind, state }: Pick<Alert, 'kind' | 'state'>): string | undefined {
  return state === 'no_data' ? alertFacts[kind].notWatched : undefined;
}

/** A limit on its kind's own scale; null when there is none to show. */
function amountText(kind: Kind, amount: number | null): string | null {
  if (amount === null) return null;
  const texts: Record<AlertFacts['unit'], () => string | null> = {
    share: () => `${Number((amount * 100).toFixed(1))}%`,
    seconds: () => exactDuration(amount),
    usd: () => `$${amount.toLocaleString('en')}`,
    count: () => amount.toLocaleString('en'),
    none: () => null,
  };
  return texts[alertFacts[kind].unit]();
}

/** `alerts below 60%`; null without a limit. */
export function limitText(kind: Kind, limit: number | null): string | null {
  const text = amountText(kind, limit);
  return text === null ? null : `alerts ${alertFacts[kind].alerts} ${text}`;
}

export const noDataWords: Record<AlertRule['noData'], string> = {
  ok: 'no alert',
  keep: 'keep last state',
  alert: 'alert',
};

/** The delivery result of a notice at one destination. */
export function sentText({ state, error }: AlertEvent['sent'][number]): string {
  const why = error === null ? '' : `: ${error}`;
  return { waiting: `waiting${why}`, delivered: 'delivered', dead: `abandoned${why}` }[state];
}

/** `Catch rate: Task`, as AlertTitle shows it: for names of links and regions. */
export function alertName({ kind, name }: Pick<Alert, 'kind' | 'name'>): string {
  const { title, single } = alertFacts[kind];
  return single === true ? title : `${title}: ${plainText(name)}`;
}
