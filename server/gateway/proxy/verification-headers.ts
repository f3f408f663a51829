import type { GatewayReason } from '../../domain';
import type { VerificationHeaders } from '../exchange';

/**
 * What is told of an answer that was not verified. One object each: they are handed out with every
 * call.
 */
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

/** It should have been verified, or recorded, and could not be. */
export const unavailable: VerificationHeaders = {
  verdict: 'unavailable',
  reason: 'error',
  verificationId: null,
};

/**
 * What a route that fails closed does not deliver: an answer that was to be verified, and
 * was not.
 */
export function isUnverifiable({ verdict, reason }: VerificationHeaders): boolean {
  const byDesign: readonly GatewayReason[] = ['not_due', 'tool_followup', 'empty_text', 'disabled'];
  return (
    verdict === 'unavailable' ||
    (verdict === 'not_verified' && reason !== null && !byDesign.includes(reason))
  );
}

/** Adds what is told to a head's names and values. */
export function setVerificationHeaders(headers: string[], verification: VerificationHeaders): void {
  headers.push('x-assay-verdict', verification.verdict);
  if (verification.verificationId !== null)
    headers.push('x-assay-verification', verification.verificationId);
  if (verification.reason !== null) headers.push('x-assay-reason', verification.reason);
}

/** The same as one comment line of an event stream, with the empty line that ends it. */
export function verificationComment(verification: VerificationHeaders): Buffer {
  const headers: string[] = [];
  setVerificationHeaders(headers, verification);
  const parts = headers.flatMap((name, n) => (n % 2 === 0 ? [`${name}: ${headers[n + 1]}`] : []));
  return Buffer.from(`: ${parts.join('; ')}\n\n`);
}
