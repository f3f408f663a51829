import type { Captured } from '../proxy/captured';
import { countingOf, countingSession } from '../verify/route-counting';
import type { Turns } from '../verify/turns';
import type { ReadCall } from './read-captured';

export type ObservedTurns = Pick<Turns, 'advance' | 'reset' | 'endVerification'>;

/**
 * Counts an answer on a route whose verifier observes, and marks it as open if it is due: the
 * session's count begins again. Counted here, since only the stored turn is verified: if an answer
 * broke off or is not final, the next one is verified instead, as before delivery.
 */
export function observeTurn(
  turns: ObservedTurns,
  { route, unread }: Pick<Captured, 'route' | 'unread'>,
  read: ReadCall,
): ReadCall {
  const { verify } = route.settings;
  if (verify === null || verify.mode !== 'observe') return read;
  if (read.row.dialect === 'embeddings') return read;
  const { exchange, turn, row, toolFollowup } = read;
  const { opening, body } = unread();
  const sessionId = countingSession(row.sessionId);
  const { shouldVerify } = turns.advance({
    projectId: row.projectId,
    sessionId,
    clientRequestId: opening.names.clientRequestId,
    body,
    settings: countingOf(verify),
    toolFollowup,
  });
  if (!shouldVerify) return read;
  turns.endVerification(row.projectId, sessionId);
  if (turn === null || !exchange.isWhole || exchange.callsTools) return read;
  turns.reset(row.projectId, sessionId);
  return { ...read, exchange: { ...exchange, byRoute: { verdictId: null, isOpen: true } } };
}
