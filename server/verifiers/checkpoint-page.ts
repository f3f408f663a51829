import { z } from 'zod';
import { detailObject, TextOrNull, Texts } from './lenient';

/** Shared by the pages of all pipeline checkpoints. */

/** The texts of a verdict; all empty while there is none. */
export interface CheckpointTexts {
  readonly error: string | null;
  readonly warning: string | null;
  readonly retryFeedback: string | null;
  readonly suggestions: readonly string[];
}

const Detail = z.object({
  error: TextOrNull,
  warning: TextOrNull,
  retry_feedback: TextOrNull,
  suggestions: Texts,
});

export function checkpointTexts(detail: unknown): CheckpointTexts {
  const { retry_feedback: retryFeedback, ...texts } = Detail.parse(detailObject(detail));
  return { ...texts, retryFeedback };
}
