import type { ExchangeRequest } from '../exchange';
import type { VerificationDeps, Scanned } from './deps';

/** An answer as it would be stored. `envelope`: as the model sent it, or null. */
export interface ScannedAnswer {
  readonly request: ExchangeRequest;
  readonly output: string;
  readonly envelope: string | null;
  readonly repromptUsed: boolean;
}

/**
 * Compares an answer with the sources of its turn under the route's settings, by default within the
 * route's deadline. Never throws.
 */
export function scanAnswer(
  deps: VerificationDeps,
  { request, ...answer }: ScannedAnswer,
  deadlineMs = request.route.settings.integrity.deadline_ms,
): Promise<Scanned> {
  const { settings, project } = request.route;
  const question = {
    ...answer,
    projectId: project.id,
    callId: request.id,
    dialect: request.dialect,
    body: request.body,
    allowUserFigures: settings.integrity.allow_user_figures,
    sources: settings.integrity.sources,
    derivedCountsAsSourced: project.derivedCountsAsSourced,
  };
  return deps.scan(question, deadlineMs);
}
