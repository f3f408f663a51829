import { meetsThreshold } from '../../domain';
import { rounded } from '../asking';
import type { Answered } from './judging';
import type { FoundClaim } from './trace-claims';

/** All claims after the judge, and their counts. */
export interface ClaimSupport {
  readonly claims: readonly FoundClaim[];
  /**
   * Share of supported claims, to 4 decimals (SOAR-24, X-6). Null without claims, and if undecided
   * claims could change the verdict; if they cannot, they count as unsupported.
   */
  readonly traceability: number | null;
  readonly supported: number;
  readonly undecided: number;
}

/**
 * The share of supported claims, 0..1, for comparison with a threshold; null in the same cases as
 * `traceability`.
 */
export function traceabilityOf(
  {
    claims,
    supported,
    undecided,
  }: { readonly claims: number; readonly supported: number; readonly undecided: number },
  threshold: number,
): number | null {
  if (claims === 0) return null;
  const min = rounded(supported / claims);
  const max = rounded((supported + undecided) / claims);
  const isSettled = meetsThreshold(min, threshold) || !meetsThreshold(max, threshold);
  return undecided === 0 || isSettled ? min : null;
}

export function claimSupportOf(
  found: readonly FoundClaim[],
  answered: Answered | null,
  threshold: number,
): ClaimSupport {
  const claims = answered === null ? found : withJudge(found, answered);
  const count = (state: string): number =>
    claims.filter(({ claim }) => claim.state === state).length;
  const [supported, undecided] = [count('supported'), count('undecided')];
  return {
    claims,
    traceability: traceabilityOf({ claims: claims.length, supported, undecided }, threshold),
    supported,
    undecided,
  };
}

/** The judge decides only claims that were left open; its opinions on others are ignored. */
function withJudge(
  found: readonly FoundClaim[],
  { judged, openIndexes }: Answered,
): readonly FoundClaim[] {
  if (judged.state === 'failed') return found;
  const claims = [...found];
  for (const { index, outputs, reasoning, evidence } of judged.reply.claims) {
    const at = openIndexes[index];
    const before = at === undefined ? undefined : claims[at];
    if (at === undefined || before === undefined || before.claim.state !== 'undecided') continue;
    claims[at] = {
      claim: {
        ...before.claim,
        state: outputs.length > 0 ? 'supported' : 'unsupported',
        supported_by: [...outputs],
        by: 'judge',
        reason: reasoning,
      },
      evidence: [...before.evidence, ...evidence],
    };
  }
  return claims;
}
