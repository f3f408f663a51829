'use client';

import { TrustNote } from '../_ui/trust-note';
import { useTrusts } from './use-trusts';

interface VerifierTrustProps {
  project: string;
  /** Its series: `task`, `decomposition:self`. */
  verifier: string;
  at?: 'start' | 'end';
}

/** The current trust of a verifier, with its gaps; renders nothing while unknown. */
export function VerifierTrust({ project, verifier, at = 'start' }: VerifierTrustProps) {
  const trust = useTrusts(project).get(verifier);
  if (trust === undefined) return null;
  return <TrustNote trust={trust} href={trustHref(project, verifier)} at={at} />;
}

/** The panel of a verifier's page with the details of its trust. */
export function trustHref(project: string, verifier: string): string {
  return `/p/${project}/verifiers/${encodeURIComponent(verifier.replace(/:self$/, ''))}#trust`;
}
