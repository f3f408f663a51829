import type { AlertChange, AlertState } from './alert';
import type { EffectiveRule } from './kind';

/** The state of an alert between two checks. */
export interface AlertStatus {
  readonly state: AlertState;
  readonly since: Date;
  /** Number of alerting checks since the last notice. */
  readonly found: number;
  readonly notifiedAt: Date | null;
}

export interface Transition {
  readonly status: AlertStatus;
  /** The event for the history; null if nothing changed. */
  readonly event: AlertChange | null;
  /** Whether to send a notice. */
  readonly notifies: boolean;
  /** Number of alerting checks since the previous notice. */
  readonly found: number;
}

const minuteMs = 60_000;
/** Minimum time between notices of a flapping alert; the history contains every change. */
const quietMs = 15 * minuteMs;

/**
 * The next state of an alert after one check. Pure. Without data the rule decides: `ok`, `keep`
 * (the previous state) or `alert`. Sends a notice when the alert begins, repeatedly if the rule has
 * an interval until someone acknowledges it, and, if its beginning was notified, when it ends or no longer has data.
 */
export function transitionOf(
  before: AlertStatus | null,
  found: AlertState,
  rule: Pick<EffectiveRule, 'noData' | 'renotifyMinutes'> & { readonly isAcknowledged?: boolean },
  now: Date,
): Transition {
  const state = stateOf(before, found, rule.noData);
  return state === 'alerting' ? alerting(before, rule, now) : quiet(before, state, now);
}

function stateOf(
  before: AlertStatus | null,
  found: AlertState,
  noData: EffectiveRule['noData'],
): AlertState {
  if (found !== 'no_data') return found;
  if (noData === 'alert') return 'alerting';
  return noData === 'keep' && before !== null ? before.state : 'no_data';
}

/** Whether a notice was sent for this period of alerting. */
const isKnown = ({ notifiedAt, since }: AlertStatus): boolean =>
  notifiedAt !== null && notifiedAt >= since;

function alerting(
  before: AlertStatus | null,
  {
    renotifyMinutes,
    isAcknowledged = false,
  }: Pick<EffectiveRule, 'renotifyMinutes'> & { readonly isAcknowledged?: boolean },
  now: Date,
): Transition {
  const lasts = before?.state === 'alerting';
  const notifiedAt = before?.notifiedAt ?? null;
  const quietFor =
    notifiedAt === null ? Number.POSITIVE_INFINITY : now.getTime() - notifiedAt.getTime();
  const renotifyMs =
    renotifyMinutes === null ? Number.POSITIVE_INFINITY : renotifyMinutes * minuteMs;
  const notifies =
    !(lasts && isAcknowledged) && quietFor >= (lasts && isKnown(before) ? renotifyMs : quietMs);
  const found = (lasts ? before.found : 0) + 1;
  const status = {
    state: 'alerting',
    since: lasts ? before.since : now,
    found: notifies ? 0 : found,
    notifiedAt: notifies ? now : notifiedAt,
  } as const;
  return { status, event: lasts ? (notifies ? 'lasts' : null) : 'began', notifies, found };
}

function quiet(before: AlertStatus | null, state: AlertState, now: Date): Transition {
  const ended = before?.state === 'alerting';
  const notifies = ended && isKnown(before);
  const event =
    before === null || before.state === state
      ? null
      : state === 'no_data'
        ? 'no_data'
        : ended
          ? 'recovered'
          : null;
  const status = {
    state,
    since: before?.state === state ? before.since : now,
    found: 0,
    notifiedAt: notifies ? now : (before?.notifiedAt ?? null),
  };
  return { status, event, notifies, found: ended ? before.found : 0 };
}
