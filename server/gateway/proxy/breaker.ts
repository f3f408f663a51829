/**
 * The circuit breaker of one verifier model in one project (QV-33 to QV-35), pure. An episode
 * counts once: a valid verdict is a success, anything else a failure. At `maxFailures` in a row it
 * opens for the cooldown; after that one call at a time may probe. The count is kept meanwhile, so
 * that one more failure opens it again at once; a success clears it. Times are milliseconds of one
 * clock.
 */
export interface Breaker {
  readonly failures: number;
  /** Null: closed. In the past: the cooldown is over. */
  readonly openUntil: number | null;
  /** When the call that probes began; null: none does. */
  readonly probingSince: number | null;
  /** What failed last, in a few words. */
  readonly problem: string | null;
}

export interface BreakerLimits {
  readonly maxFailures: number;
  readonly cooldownMs: number;
}

export const closedBreaker: Breaker = {
  failures: 0,
  openUntil: null,
  probingSince: null,
  problem: null,
};

/**
 * A probe that no one ended is given up, so that a lost one cannot keep the breaker open for ever.
 */
const probeMs = 120_000;

export type Permission = 'closed' | 'probe' | 'open';

/** What a call was permitted, for it to end with. */
export interface Permit {
  readonly state: Permission;
  /** The breaker's `probingSince` of a call that probes; null: it is none. */
  readonly probe: number | null;
}

/** What a call that would verify now may do. */
export function permissionOf(breaker: Breaker, now: number): Permission {
  if (breaker.openUntil === null) return 'closed';
  if (now < breaker.openUntil) return 'open';
  return breaker.probingSince !== null && now - breaker.probingSince < probeMs ? 'open' : 'probe';
}

/** Whether this call is the one that probes: it may have been given up, and another be probing. */
export function isProbe({ probingSince }: Breaker, { probe }: Permit): boolean {
  return probe !== null && probe === probingSince;
}

/** After the outcome of one episode. Only the call that probes ends the probe by a failure. */
export function afterOutcome(
  breaker: Breaker,
  now: number,
  limits: BreakerLimits,
  outcome: { readonly ok: boolean; readonly problem: string | null; readonly permit: Permit },
): Breaker {
  if (outcome.ok) return closedBreaker;
  const failures = breaker.failures + 1;
  const { problem } = outcome;
  // An episode begun before it opened, and ended since: it is counted, and the cooldown is no
  // longer for it, nor the probe over.
  if (breaker.openUntil !== null && !isProbe(breaker, outcome.permit))
    return { ...breaker, failures, problem };
  const opens = failures >= Math.max(1, limits.maxFailures);
  return {
    failures,
    openUntil: opens ? now + Math.max(0, limits.cooldownMs) : null,
    probingSince: null,
    problem,
  };
}
