/**
 * The circuit breaker of one verifier model in one project (QV-33 to QV-35). Pure. A verification
 * counts once: a valid verdict is a success, anything else a failure. After `maxFailures` in a row
 * the circuit opens for the cooldown; then one call at a time may probe. The count is kept, so that
 * one more failure opens it again; a success resets it. Times are milliseconds of one clock.
 */
export interface Breaker {
  readonly failures: number;
  /** Null if closed. If it is in the past, the cooldown is over. */
  readonly openUntil: number | null;
  /** When the current probe began; null if there is none. */
  readonly probingSince: number | null;
  /** The last failure, in a few words. */
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

/** A probe that never ended expires, so that it cannot keep the circuit open. */
const probeMs = 120_000;

export type CircuitState = 'closed' | 'probe' | 'open';

/** The permission of one call; pass it back with the outcome. */
export interface Permit {
  readonly state: CircuitState;
  /** The breaker's `probingSince` if this call is the probe, else null. */
  readonly probe: number | null;
}

/** Whether a verification may run now. */
export function permissionOf(breaker: Breaker, now: number): CircuitState {
  if (breaker.openUntil === null) return 'closed';
  if (now < breaker.openUntil) return 'open';
  return breaker.probingSince !== null && now - breaker.probingSince < probeMs ? 'open' : 'probe';
}

/**
 * Whether this call is the current probe: its probe may have expired and another may be running.
 */
export function isProbe({ probingSince }: Breaker, { probe }: Permit): boolean {
  return probe !== null && probe === probingSince;
}

/** The breaker after one verification. Only the probe itself can end the probe by a failure. */
export function afterOutcome(
  breaker: Breaker,
  now: number,
  limits: BreakerLimits,
  outcome: { readonly ok: boolean; readonly problem: string | null; readonly permit: Permit },
): Breaker {
  if (outcome.ok) return closedBreaker;
  const failures = breaker.failures + 1;
  const { problem } = outcome;
  // Started before the circuit opened: counted, but neither extends the cooldown nor ends the
  // probe.
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
