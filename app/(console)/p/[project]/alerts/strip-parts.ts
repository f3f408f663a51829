import type { Alert, AlertEvent } from '@/app/_trpc/outputs';

export type StripState = Alert['state'] | 'unknown';

/** One stretch of an alert's last days. */
export interface StripPart {
  readonly state: StripState;
  readonly from: number;
  readonly to: number;
}

type Change = Pick<AlertEvent, 'event' | 'at'>;

const after: Record<Exclude<AlertEvent['event'], 'lasts' | 'acknowledged'>, Alert['state']> = {
  began: 'alerting',
  recovered: 'ok',
  no_data: 'no_data',
};

/**
 * The states of an alert between two times (ms), the oldest first, computed from its changes in any
 * order and its current state. The state before the oldest known change is `unknown`, unless the
 * change implies it: an alert that recovered was alerting before.
 */
export function stripParts(
  now: Pick<Alert, 'state' | 'since'>,
  changes: readonly Change[],
  from: number,
  to: number,
): StripPart[] {
  const parts: StripPart[] = [];
  const add = (state: StripState, begin: number, end: number) => {
    const [first, last] = [Math.max(begin, from), Math.min(end, to)];
    const next = parts[0];
    if (first >= last) return;
    if (next?.state === state) parts[0] = { ...next, from: first };
    else parts.unshift({ state, from: first, to: last });
  };
  const since = now.since.getTime();
  add(now.state, since, to);
  let begin = Math.min(since, to);
  let before: StripState = 'unknown';
  const known = changes
    .filter((change): change is Change & { event: keyof typeof after } => change.event in after)
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  for (const { event, at } of known) {
    const moment = at.getTime();
    before = event === 'recovered' ? 'alerting' : 'unknown';
    // `since` already marks the change to the current state.
    if (moment >= begin) continue;
    add(after[event], moment, begin);
    begin = moment;
  }
  add(before, from, begin);
  return parts;
}

/** How often it alerted, and for how many seconds in total. */
export function alertedIn(parts: readonly StripPart[]): {
  readonly times: number;
  readonly seconds: number;
} {
  const alerted = parts.filter(({ state }) => state === 'alerting');
  return {
    times: alerted.length,
    seconds: alerted.reduce((sum, { from, to }) => sum + (to - from), 0) / 1000,
  };
}
