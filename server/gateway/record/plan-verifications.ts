import { newId } from '../../platform';
import type { PlannedVerifications, PlannedVerification } from '../../ingest';
import type { GatewayRoute, VerificationHeaders } from '../exchange';
import { kinds } from '../../verifiers';

/** Facts about an exchange that decide its verifications. */
export interface ExchangeFacts {
  readonly route: GatewayRoute;
  readonly outcome: VerificationHeaders;
  /** The judge was called. */
  readonly hasEpisode: boolean;
  /** The figures were checked before delivery, and the client received a verdict on them. */
  readonly checkedFigures: boolean;
  /** The verification by the route's verifier; null if none was due. */
  readonly byRoute: {
    /** The verdict on the buffered answer; null if there is none. */
    readonly verdictId: string | null;
    /** The delivered answer is not verified yet, and no verdict is pending. */
    readonly isOpen: boolean;
  } | null;
  readonly callsTools: boolean;
  /** The answer is complete and fully captured. */
  readonly isWhole: boolean;
  readonly now: Date;
}

/**
 * Plans the verifications of the stored turn: those of the project's rules and of the route's
 * verifier, the judge's verdict and, if figures were checked before delivery, integrity, both under
 * the id sent to the client. Incomplete answers are not verified; figures are not checked in
 * answers that call tools or on routes without integrity (INT-14).
 */
export function planExchangeVerifications(
  planned: PlannedVerifications,
  exchange: ExchangeFacts,
): PlannedVerifications {
  const { outcome, hasEpisode, checkedFigures } = exchange;
  const ruled = withRouteVerifier(withoutIneligible(planned, exchange), exchange);
  const verdicts: PlannedVerification[] =
    hasEpisode && outcome.verificationId !== null
      ? [pendingVerification(outcome.verificationId, 'turn')]
      : [];
  if (!checkedFigures) return { ...ruled, verdicts: [...ruled.verdicts, ...verdicts] };
  const isOfRoute = exchange.byRoute !== null && exchange.byRoute.verdictId !== null;
  const id = hasEpisode || isOfRoute ? null : outcome.verificationId;
  const byRule = ruled.verdicts.find(({ verifier }) => kinds.get(verifier)?.readsTurns === true);
  if (byRule === undefined) {
    return {
      ...ruled,
      verdicts: [
        ...ruled.verdicts,
        ...verdicts,
        pendingVerification(id ?? newId('ver', exchange.now), 'integrity'),
      ],
    };
  }
  const renamed = (each: string): string => (id !== null && each === byRule.verdictId ? id : each);
  return {
    verdicts: [
      ...ruled.verdicts.map((each) => ({ ...each, verdictId: renamed(each.verdictId) })),
      ...verdicts,
    ],
    decisions: ruled.decisions.map((each) => ({
      ...each,
      verdictId: each.verdictId === null ? null : renamed(each.verdictId),
    })),
  };
}

function pendingVerification(verdictId: string, verifier: string): PlannedVerification {
  return { verdictId, verifier, rule: null, delaySeconds: 0 };
}

/**
 * Adds the verification of an answer that the route's verifier has not verified, and removes those
 * by which it would verify the answer twice.
 */
function withRouteVerifier(
  ruled: PlannedVerifications,
  { byRoute, route, isWhole, callsTools, now }: ExchangeFacts,
): PlannedVerifications {
  const slug = route.settings.verify?.verifier;
  if (byRoute === null || slug === undefined) return ruled;
  const isByRule = ruled.verdicts.some((each) => each.verifier === slug && !('awaits' in each));
  if (byRoute.isOpen) {
    if (isByRule || !isWhole || callsTools) return ruled;
    const unique = withoutDuplicates(ruled, slug);
    const added = pendingVerification(newId('ver', now), slug);
    return { ...unique, verdicts: [...unique.verdicts, added] };
  }
  // A rule that waits for this verdict waits for one on the stored turn.
  const isAwaited = ruled.verdicts.some(({ awaits }) => awaits?.verifier === slug);
  return isAwaited ? ruled : withoutDuplicates(ruled, slug);
}

function withoutDuplicates(ruled: PlannedVerifications, slug: string): PlannedVerifications {
  return {
    verdicts: ruled.verdicts.filter(({ verifier }) => verifier !== slug),
    decisions: ruled.decisions.map((each) =>
      each.verifier !== slug || each.verdictId === null
        ? each
        : {
            ...each,
            state: 'duplicate' as const,
            reason: 'the route of the gateway verifies the answer by the same verifier',
            verdictId: null,
          },
    ),
  };
}

function withoutIneligible(
  planned: PlannedVerifications,
  exchange: ExchangeFacts,
): PlannedVerifications {
  const why = (verifier: string): string | null => {
    if (!exchange.isWhole)
      return 'the answer is not whole: it broke off, or was longer than the capture';
    if (kinds.get(verifier)?.readsTurns !== true) return null;
    if (exchange.route.settings.integrity.mode === 'off')
      return `integrity is off on the route "${exchange.route.name}"`;
    return exchange.callsTools ? 'the answer calls tools: it is no final turn' : null;
  };
  return {
    verdicts: planned.verdicts.filter(({ verifier }) => why(verifier) === null),
    decisions: planned.decisions.map((each) => {
      const reason = each.verdictId === null ? null : why(each.verifier);
      return reason === null
        ? each
        : { ...each, state: 'blocked' as const, reason, verdictId: null };
    }),
  };
}
