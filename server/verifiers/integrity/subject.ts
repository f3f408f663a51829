import type { Envelope, Figure, Source } from '../../domain';
import type { SourceIndex } from '../../figures';

/**
 * One user-facing answer and what the model had when it wrote it. All texts are untrusted data
 * (X-9).
 */
export interface IntegritySubject {
  /** The answer as the model sent it. */
  readonly output: string;
  /** The structured answer, as an object or its JSON text; null when none was sent (INT-3). */
  readonly envelope: unknown;
  /** Tool results and injected context of this turn, and of no other (INT-2). */
  readonly sources: readonly Source[];
  /**
   * The user's messages, oldest first; sources `user[0]`… only where the config allows them
   * (INT-20).
   */
  readonly userText: readonly string[];
  /**
   * The one corrective message was sent before this answer, or its sending failed (INT-7, INT-10).
   */
  readonly repromptUsed: boolean;
  /** The same sources, read before there was an answer (`withSourcesRead`). */
  readonly index?: SourceIndex;
}

/**
 * What the node `envelope` leaves: the parsed envelope, and the text that is checked and delivered.
 */
export interface ReadAnswer {
  readonly envelope: Envelope | null;
  readonly answer: string;
}

/** What the node `citations` leaves: the figures as they are in the verdict. */
export interface SettledFigures {
  readonly figures: readonly Figure[];
}

/** The sources that figures are traced to under a config. */
export function sourcesOf(subject: IntegritySubject, allowUserFigures: boolean): readonly Source[] {
  if (!allowUserFigures) return subject.sources;
  const said = subject.userText.map(
    (text, i): Source => ({ id: `user[${i}]`, label: 'user', format: 'text', text }),
  );
  return [...subject.sources, ...said];
}
