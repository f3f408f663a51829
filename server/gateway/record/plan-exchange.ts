import { newId } from '../../platform';
import type { PlannedVerifications, PlannedVerification } from '../../ingest';
import type { GatewayRoute, VerificationHeaders } from '../exchange';
import { kinds } from '../../verifiers';

/** What of an exchange says which verdicts it is owed. */
export interface ExchangeFacts {
  readonly route: GatewayRoute;
  readonly verification: VerificationHeaders;
  /** The verifier was asked about it. */
  readonly hasEpisode: boolean;
  /** It was held for its figures, and the client was told of a verdict on them. */
  readonly figuresBuffered: boolean;
  readonly callsTools: boolean;
  /** It came to its end, and all of it was kept. */
  readonly isWhole: boolean;
  readonly now: Date;
}

/**
 * What the stored turn of an exchange is owed: what the project's rules say; the verdict on its
 * episode, under the id that the client was told; and where its figures were held, integrity under
 * the id that was told. What is not whole is judged by no one, and an answer that calls
 * tools, or goes by a route without integrity, not for its figures (INT-14).
 */
export function planExchange(
  planned: PlannedVerifications,
  exchange: ExchangeFacts,
): PlannedVerifications {
  const { verification, hasEpisode, figuresBuffered } = exchange;
  const ruled = withoutUnfit(planned, exchange);
  const verdicts: PlannedVerification[] =
    hasEpisode && verification.verificationId !== null
      ? [facts(verification.verificationId, 'turn')]
      : [];
  if (!figuresBuffered) return { ...ruled, verdicts: [...ruled.verdicts, ...verdicts] };
  const id = hasEpisode ? null : verification.verificationId;
  const byRule = ruled.verdicts.find(({ verifier }) => kinds.get(verifier)?.readsTurns === true);
  if (byRule === undefined) {
    return {
      ...ruled,
      verdicts: [
        ...ruled.verdicts,
        ...verdicts,
        facts(id ?? newId('ver', exchange.now), 'integrity'),
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

function facts(verdictId: string, verifier: string): PlannedVerification {
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
