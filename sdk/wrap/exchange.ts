import type { Turn } from '../client/turn';
import {
  maxIdChars,
  messagesOf,
  type Spoken,
  type SpokenCall,
  toolOf,
  toolsOf,
} from './conversation';

/** One call of a model, in the terms that all APIs share. */

export interface ModelRequest {
  readonly model: string | null;
  readonly conversation: readonly Spoken[];
  /** The session that the request itself names. */
  readonly session: string | null;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly SpokenCall[];
  /** Null if the API did not report it. */
  readonly tokens: Turn['tokens'];
  readonly model: string | null;
  /** In the API's own words. */
  readonly finishReason: string | null;
}

export interface Exchange {
  readonly request: ModelRequest;
  readonly answer: ModelAnswer;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Why there is no answer, or only a part of it; null if it is complete. */
  readonly error: string | null;
}

export const noAnswer: ModelAnswer = {
  text: '',
  calls: [],
  tokens: null,
  model: null,
  finishReason: null,
};

/** Limit of `metadata.error`. */
const maxErrorChars = 1000;

/** The exchange as a turn. Tools that the answer calls have no result yet. */
export function turnOf({ request, answer, startedAt, endedAt, error }: Exchange): Turn {
  const tools = [...toolsOf(request.conversation), ...answer.calls.map(toolOf)];
  return {
    session_id: request.session?.slice(0, maxIdChars) ?? null,
    model: request.model ?? answer.model,
    started_at: startedAt,
    ended_at: endedAt,
    input: messagesOf(request.conversation),
    ...(tools.length === 0 ? {} : { tools }),
    output: answer.text,
    tokens: answer.tokens,
    metadata: {
      ...(answer.finishReason === null ? {} : { finish_reason: answer.finishReason }),
      ...(error === null ? {} : { error: error.slice(0, maxErrorChars) }),
    },
  };
}
