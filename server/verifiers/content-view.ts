import { z } from 'zod';

/** A criterion of a task for people to read. */
export interface SubjectCriterion {
  /** The criterion's text, or the check with its value. */
  readonly text: string;
  /** Null if a judge evaluates it. */
  readonly check: string | null;
  readonly weight: number;
  readonly mustPass: boolean;
}

/** A text of the subject. `name` is the prefix of references to it: `output` in `output:12-40`. */
export interface SubjectText {
  readonly name: string;
  readonly text: string;
}

export interface SubjectOutput extends SubjectText {
  /** Heading; null means its name. */
  readonly title: string | null;
  /** For a mission's task; null otherwise. */
  readonly description: string | null;
  readonly verificationId: string | null;
  /** The verdict that the sender reported; null if unknown. */
  readonly verdict: string | null;
}

/** The submitted work, in one shape for all kinds: the request, and the outputs. */
export interface ContentView {
  /** Heading of the request; null if the kind has none. */
  readonly title: string | null;
  /** The request; empty if there was none. */
  readonly description: string;
  /** Null if the kind has none. */
  readonly criteria: readonly SubjectCriterion[] | null;
  readonly context: string;
  /**
   * True if scores also quote the request and the context; otherwise they quote only outputs, by
   * the names that the sender used.
   */
  readonly isQuoted: boolean;
  readonly scoringMode: string | null;
  /** One for a task, one for each task of a mission or for each compared output. */
  readonly outputs: readonly SubjectOutput[];
  /** The JSON text of all other members, or null. */
  readonly other: string | null;
}

/** Read leniently: a subject that an earlier release stored is still shown. */
export const ContentText = z
  .unknown()
  .optional()
  .transform((value) =>
    typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value),
  );

export const noContent: ContentView = {
  title: 'Task',
  description: '',
  criteria: null,
  context: '',
  isQuoted: false,
  scoringMode: null,
  outputs: [],
  other: null,
};

export const plainOutput = {
  title: null,
  description: null,
  verificationId: null,
  verdict: null,
} as const;
