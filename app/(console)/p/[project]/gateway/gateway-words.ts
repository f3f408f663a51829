import type { VerdictState } from '@/app/_ui/verdict-styles';
import type { SteeringRecord, GatewayReason, GatewayVerdict, SteerEfficacy } from '@/server/domain';

/** The outcome of a call, in words. An unverified call does not have a verdict's colour. */
export const verdictWords: Record<
  GatewayVerdict,
  { readonly state: VerdictState; readonly word: string }
> = {
  passed: { state: 'passed', word: 'Passed' },
  steered: { state: 'steered', word: 'Steered' },
  flagged: { state: 'needs_review', word: 'Flagged' },
  unavailable: { state: 'inconclusive', word: 'Unavailable' },
  not_verified: { state: 'skipped', word: 'Not verified' },
};

/** Outcomes that need attention first, unverified ones last. */
export const verdictOrder = [
  'flagged',
  'unavailable',
  'steered',
  'passed',
  'not_verified',
] as const satisfies readonly GatewayVerdict[];

export const reasonWords: Record<GatewayReason, string> = {
  not_due: 'not due',
  tool_followup: 'tool follow-up',
  overflow: 'too long to buffer',
  empty_text: 'no text',
  circuit_open: 'breaker open',
  busy: 'no capacity left',
  disabled: 'verifier off',
  error: 'error',
};

/** The result of a steering note. */
export const steerWords: Record<SteeringRecord['state'], string> = {
  applied: 'Retried with the note; the new answer was delivered.',
  control: 'The note was withheld to measure the effect of steering.',
  deferred: 'The note is added to the session’s next request.',
  recall_failed: 'The retry failed; the original was delivered.',
  recall_empty: 'The retry returned nothing; the original was delivered.',
  no_context:
    'The request could not be parsed, so it was not retried; the original answer was delivered.',
  not_qualified: 'The verifier is not qualified, so it may not steer; the original was delivered.',
};

/** The same, inside a sentence. */
export const steerNames: Record<SteeringRecord['state'], string> = {
  applied: 'applied',
  control: 'control',
  deferred: 'deferred',
  recall_failed: 'retry failed',
  recall_empty: 'retry returned nothing',
  no_context: 'request unreadable',
  not_qualified: 'verifier not qualified',
};

export const efficacyWords: Record<
  SteerEfficacy,
  { readonly state: VerdictState; readonly word: string }
> = {
  fixed: { state: 'passed', word: 'Fixed' },
  not_fixed: { state: 'needs_review', word: 'Not fixed' },
  worse: { state: 'failed', word: 'Worse' },
  unknown: { state: 'inconclusive', word: 'Not known' },
};

/** Turns from thousandths: 3400 is `3.4`. */
export const turnsText = (units: number): string =>
  (units / 1000).toLocaleString('en', { maximumFractionDigits: 3 });

/** `3.4 of 10 turns`; without a verifier there is no counter. */
export function counterText(units: number | null, every: number | null): string {
  if (units === null || every === null) return 'not counted';
  return `${turnsText(units)} of ${every.toLocaleString('en')} ${every === 1 ? 'turn' : 'turns'}`;
}

/** `+12.5 points (3.0 to 21.0)`. */
export function differenceText({
  value,
  low,
  high,
}: {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}): string {
  const points = (share: number): string => (share * 100).toFixed(1).replace('-', '−');
  return `${value > 0 ? '+' : ''}${points(value)} points (${points(low)} to ${points(high)})`;
}

/** The host of an address, or the address as is. */
export function hostOf(address: string | null): string | null {
  if (address === null) return null;
  return URL.canParse(address) ? new URL(address).host : address;
}
