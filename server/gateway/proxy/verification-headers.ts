import type { GatewayReason } from '../../domain';
import type { VerificationHeaders } from '../exchange';

/** Outcomes of unverified answers, one object per reason, since every call needs one. */
const unverified = Object.fromEntries(
  (
    [
      'not_due',
      'tool_followup',
      'overflow',
      'empty_text',
      'circuit_open',
      'busy',
      'disabled',
      'error',
    ] satisfies GatewayReason[]
  ).map((reason) => [reason, { verdict: 'not_verified', reason, verificationId: null }]),
) as Readonly<Record<GatewayReason, VerificationHeaders>>;

export const notVerified = (reason: GatewayReason): VerificationHeaders => unverified[reason];

/** The answer should have been verified or recorded, and could not be. */
export const verificationUnavailable: VerificationHeaders = {
  verdict: 'unavailable',
  reason: 'error',
  verificationId: null,
};

/**
 * Whether a route that fails closed withholds the answer: it should have been verified and
 * was not.
 */
export function isUnverifiable({ verdict, reason }: VerificationHeaders): boolean {
  const byDesign: readonly GatewayReason[] = ['not_due', 'tool_followup', 'empty_text', 'disabled'];
  return (
    verdict === 'unavailable' ||
    (verdict === 'not_verified' && reason !== null && !byDesign.includes(reason))
  );
}

/** Appends the verification headers to a list of names and values. */
export function setVerificationHeaders(headers: string[], outcome: VerificationHeaders): void {
  headers.push('x-assay-verdict', outcome.verdict);
  if (outcome.verificationId !== null) headers.push('x-assay-verification', outcome.verificationId);
  if (outcome.reason !== null) headers.push('x-assay-reason', outcome.reason);
}

/** The same as a comment of an event stream, with the empty line that ends it. */
export function verificationComment(outcome: VerificationHeaders): Buffer {
  const headers: string[] = [];
  setVerificationHeaders(headers, outcome);
  const parts = headers.flatMap((name, n) => (n % 2 === 0 ? [`${name}: ${headers[n + 1]}`] : []));
  return Buffer.from(`: ${parts.join('; ')}\n\n`);
}
