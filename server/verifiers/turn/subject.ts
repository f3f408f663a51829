import { z } from 'zod';
import { MessageAsText } from './message-text';

const MESSAGES_MAX = 10_000;

/**
 * The members of `POST /v1/verify/turn` that only this kind has: an answer, and the conversation
 * that it ends. Stored with messages as text.
 */
export const TurnSubject = z.object({
  messages: z.array(MessageAsText).min(1, 'must have at least one message').max(MESSAGES_MAX),
  /** The answer to verify. */
  completion: z.string(),
});
export type TurnSubject = z.infer<typeof TurnSubject>;

/** Settings of the verifier for callers; a gateway route has separate settings. */
export const TurnConfig = z.object({
  /** The judge sees only this number of the latest messages; 0: all (QV-23). */
  max_history: z.number().int().min(0).max(100_000).default(0),
});
export type TurnConfig = z.infer<typeof TurnConfig>;
