'use client';

import { TrustNote } from '../_ui/trust-note';
import { useTrusts } from './use-trusts';

interface VerifierTrustProps {
  project: string;
  /** Its series: `task`, `decomposition:self`. */
  verifier: string;
  at?: 'start' | 'end';
}

/** How far a verifier is trusted now, with what it lacks; nothing while that is not known. */
export function VerifierTrust({ project, verifier, at = 'start' }: VerifierTrustProps) {
  const trust = useTrusts(project).get(verifier);
  if (trust === undefined) return null;
  return <TrustNote trust={trust} href={trustHref(project, verifier)} at={at} />;
}

/** The panel of a verifier's page on which its trust stands in full. */
export function trustHref(project: string, verifier: string): string {
  return `/p/${project}/verifiers/${encodeURIComponent(verifier.replace(/:self$/, ''))}#trust`;
}
