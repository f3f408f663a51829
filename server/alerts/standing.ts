import type { AlertEvent, AlertState } from './alert';
import type { RuleInForce } from './kind';

/** How an alert stands between two looks. */
export interface Standing {
  readonly state: AlertState;
  readonly since: Date;
  /** How often it was found alerting since people were last told. */
  readonly found: number;
  readonly notifiedAt: Date | null;
}

export interface Step {
  readonly standing: Standing;
  /** What goes into the history; null: nothing changed. */
  readonly event: AlertEvent['event'] | null;
  /** Whether people are told. */
  readonly isTold: boolean;
  /** How often it was found since they were told before. */
  readonly found: number;
}

const minuteMs = 60_000;
/** What comes and goes is told at most so often; it is in the history all the same. */
const quietMs = 15 * minuteMs;

/**
 * What one look makes of an alert. Pure. Without data it is what the rule says: `ok`, `keep` (what
 * it was before) or `alert`. People are told that it began, that it lasts where the rule says how
 * often, and, where they were told that it began, that it is over or that there is nothing to tell
 * it by any more.
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

/** They were told of this very time that it alerts. */
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
