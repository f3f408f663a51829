import type { StoredTurn, TurnOrigin } from '../ingest';
import { userOf } from '../platform';
import type { RuleSubject } from './match';

/** A stored turn in the form that filters read. */
export function storedSubject(turn: StoredTurn, origin: TurnOrigin): RuleSubject {
  const metadata: unknown = JSON.parse(turn.content.metadata);
  return {
    id: turn.id,
    sessionId: turn.sessionId,
    traceId: turn.traceId,
    userId: userOf(metadata),
    source: turn.source,
    model: turn.model,
    origin,
    tags: turn.content.tags,
    metadata:
      typeof metadata === 'object' && metadata !== null
        ? (metadata as Record<string, unknown>)
        : {},
    hasSources: turn.content.tools.length + turn.content.context.length > 0,
    answerChars: turn.content.answer.length,
  };
}
