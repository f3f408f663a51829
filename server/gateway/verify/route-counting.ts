import type { RouteVerifier } from '../input';
import type { CountingSettings } from './sessions';

/**
 * The name under which a session's turns are counted for the verifier of a route. Names of sessions
 * are trimmed, so no session has a name that begins with a space.
 */
export const countingPrefix = ' verify ';
export const countingSession = (sessionId: string): string => countingPrefix + sessionId;

/** Tool follow-ups are not eligible and do not count. */
export const countingOf = ({ verifier, frequency }: RouteVerifier): CountingSettings => ({
  model: verifier,
  frequency,
  tool_followup_weight: 0,
  min_eligible_turn: 1,
});
