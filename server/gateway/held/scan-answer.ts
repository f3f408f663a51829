import type { ReadRequest } from '../dialects/dialect';
import type { ExchangeRequest } from '../exchange';
import { turnText } from '../record/turn-text';
import type { HeldDeps, Scanned } from './deps';

/** An answer as it would be stored: `envelope` as the model sent it, or null. */
export interface ScannedAnswer {
  readonly request: ExchangeRequest;
  /** Null: the answer has no sources. */
  readonly read: ReadRequest | null;
  readonly output: string;
  readonly envelope: string | null;
  readonly repromptUsed: boolean;
}

/** Holds an answer against the sources of its turn, under the route's settings. Never throws. */
export function scanAnswer(deps: HeldDeps, answer: ScannedAnswer, deadlineMs: number): Promise<Scanned> {
  const { request, read, output, envelope, repromptUsed } = answer;
  const { settings, project } = request.route;
  const now = deps.clock.now();
  const turn = turnText({
    id: request.id,
    sessionId: request.sessionId,
    traceId: null,
    model: null,
    startedAt: now,
    endedAt: now,
    request: read,
    output,
    envelope,
    repromptUsed,
    inputTokens: null,
    outputTokens: null,
    costUsd: null,
    metadata: {},
    record: null,
  });
  const allowUserFigures = settings.integrity.allow_user_figures;
  return deps.scan({ turn, allowUserFigures, derivedCountsAsSourced: project.derivedCountsAsSourced }, deadlineMs);
}
