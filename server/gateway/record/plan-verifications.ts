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
  readonly heldFigures: boolean;
  readonly callsTools: boolean;
  /** The answer is complete and fully captured. */
  readonly isWhole: boolean;
  readonly now: Date;
}

/**
 * Plans the verifications of the stored turn: those of the project's rules, the judge's verdict
 * and, if figures were checked before delivery, integrity, each under the id sent to the client.
 * Incomplete answers are not verified; figures are not checked in answers that call tools or
 * on routes without integrity (INT-14).
 */
export function planExchangeVerifications(
  planned: PlannedVerifications,
  exchange: ExchangeFacts,
): PlannedVerifications {
  const { outcome, hasEpisode, heldFigures } = exchange;
  const ruled = withoutUnfit(planned, exchange);
  const verdicts: PlannedVerification[] =
    hasEpisode && outcome.verificationId !== null
      ? [pendingVerification(outcome.verificationId, 'turn')]
      : [];
  if (!heldFigures) return { ...ruled, verdicts: [...ruled.verdicts, ...verdicts] };
  const id = hasEpisode ? null : outcome.verificationId;
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

function withoutUnfit(
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
