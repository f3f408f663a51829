import type { AlertEvent, AlertState } from './alert';
import type { RuleInForce } from './kind';

/** The state of an alert between two checks. */
export interface Standing {
  readonly state: AlertState;
  readonly since: Date;
  /** How often it was found alerting since the last notice. */
  readonly found: number;
  readonly notifiedAt: Date | null;
}

export interface Step {
  readonly standing: Standing;
  /** The event for the history; null: nothing changed. */
  readonly event: AlertEvent['event'] | null;
  /** Whether a notice is sent. */
  readonly isTold: boolean;
  /** How often it was found since the previous notice. */
  readonly found: number;
}

const minuteMs = 60_000;
/** The shortest time between notices of a flapping alert; the history has all of it. */
const quietMs = 15 * minuteMs;

/**
 * The next state of an alert after one check. Pure. Without data the rule decides: `ok`, `keep`
 * (the previous state) or `alert`. Notices are sent when it begins, repeatedly if the rule has an
 * interval, and, after a notice that it began, when it ends or no longer has data.
 */
export function stepOf(
  before: Standing | null,
  found: AlertState,
  rule: Pick<RuleInForce, 'noData' | 'renotifyMinutes'>,
  now: Date,
): Step {
  const state = stateOf(before, found, rule.noData);
  return state === 'alerting'
    ? alerting(before, rule.renotifyMinutes, now)
    : quiet(before, state, now);
}

function stateOf(
  before: Standing | null,
  found: AlertState,
  noData: RuleInForce['noData'],
): AlertState {
  if (found !== 'no_data') return found;
  if (noData === 'alert') return 'alerting';
  return noData === 'keep' && before !== null ? before.state : 'no_data';
}

/** This period of alerting has been notified. */
const isKnown = ({ notifiedAt, since }: Standing): boolean =>
  notifiedAt !== null && notifiedAt >= since;

function alerting(before: Standing | null, renotifyMinutes: number | null, now: Date): Step {
  const lasts = before?.state === 'alerting';
  const notifiedAt = before?.notifiedAt ?? null;
  const quietFor =
    notifiedAt === null ? Number.POSITIVE_INFINITY : now.getTime() - notifiedAt.getTime();
  const again = renotifyMinutes === null ? Number.POSITIVE_INFINITY : renotifyMinutes * minuteMs;
  const isTold = quietFor >= (lasts && isKnown(before) ? again : quietMs);
  const found = (lasts ? before.found : 0) + 1;
  const standing = {
    state: 'alerting',
    since: lasts ? before.since : now,
    found: isTold ? 0 : found,
    notifiedAt: isTold ? now : notifiedAt,
  } as const;
  return { standing, event: lasts ? (isTold ? 'lasts' : null) : 'began', isTold, found };
}

function quiet(before: Standing | null, state: AlertState, now: Date): Step {
  const ended = before?.state === 'alerting';
  const isTold = ended && isKnown(before);
  const event =
    before === null || before.state === state
      ? null
      : state === 'no_data'
        ? 'no_data'
        : ended
          ? 'recovered'
          : null;
  const standing = {
    state,
    since: before?.state === state ? before.since : now,
    found: 0,
    notifiedAt: isTold ? now : (before?.notifiedAt ?? null),
  };
  return { standing, event, isTold, found: ended ? before.found : 0 };
}
