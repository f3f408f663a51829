import type { Envelope, Figure, Source } from '../../domain';
import type { SourceIndex } from '../../figures';

/**
 * One user-facing answer and the sources that the model had for it. All texts are untrusted data
 * (X-9).
 */
export interface IntegritySubject {
  /** The answer as the model sent it. */
  readonly output: string;
  /** The structured answer, as an object or its JSON text; null if none was sent (INT-3). */
  readonly envelope: unknown;
  /** Tool results and injected context of this turn only (INT-2). */
  readonly sources: readonly Source[];
  /**
   * The user's messages, oldest first; they are sources `user[0]`… only if the config allows it
   * (INT-20).
   */
  readonly userText: readonly string[];
  /**
   * The single corrective message was sent before this answer, or its sending failed (INT-7,
   * INT-10).
   */
  readonly repromptUsed: boolean;
  /** The index of the same sources, built before the answer arrived (`withSourcesRead`). */
  readonly index?: SourceIndex;
}

/** The detail of the node `envelope`: the parsed envelope, and the text to check and deliver. */
export interface ReadAnswer {
  readonly envelope: Envelope | null;
  readonly answer: string;
}

/** The detail of the node `citations`: the figures as in the verdict. */
export interface MatchedFigures {
  readonly figures: readonly Figure[];
}

/** The sources for tracing figures under a config. */
export function sourcesOf(subject: IntegritySubject, allowUserFigures: boolean): readonly Source[] {
  if (!allowUserFigures) return subject.sources;
  const userSources = subject.userText.map(
    (text, i): Source => ({ id: `user[${i}]`, label: 'user', format: 'text', text }),
  );
  return [...subject.sources, ...userSources];
}
