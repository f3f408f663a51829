/**
 * The data that a client sends and receives, with the API's own names (docs/reference/http.md).
 * Defined here so that the installed package has no dependencies; turn.test.ts compares these types
 * with the server's own.
 */

type Optional<T> = T | null | undefined;

/** RFC 3339; JSON.stringify converts a Date to it. */
export type Time = string | Date;

export interface Message {
  role: string;
  content?: unknown;
}

/** A tool call with its result: a source for figures in the answer. */
export interface ToolResult {
  id?: Optional<string>;
  name?: Optional<string>;
  arguments?: unknown;
  result?: unknown;
}

/** A block of context that the model received: also a source. */
export interface ContextBlock {
  id?: Optional<string>;
  content?: unknown;
}

/**
 * One answer of a model, with the sources of that same turn. It has an `output` or an `envelope`.
 */
export interface Turn {
  /**
   * Set by the client, so that a repeated request does not create a second turn. The SDK generates
   * it if it is missing.
   */
  id?: Optional<string>;
  session_id?: Optional<string>;
  trace_id?: Optional<string>;
  source?: Optional<string>;
  /** `openai/gpt-4o` */
  model?: Optional<string>;
  started_at?: Optional<Time>;
  ended_at?: Optional<Time>;
  input?: Optional<string | Message[]>;
  tools?: Optional<ToolResult[]>;
  context?: Optional<ContextBlock[]>;
  output?: Optional<string>;
  /** `{answer, facts: [{value, source_id, path}]}`, as an object or its JSON text. */
  envelope?: unknown;
  relayed_from?: unknown;
  files?: Optional<{ path: string; content: string }[]>;
  /** The expected answer, for verifiers that compare with one. */
  reference?: unknown;
  cost_usd?: Optional<number>;
  /** The parts are included in `input` and `output`. */
  tokens?: Optional<{
    input?: Optional<number>;
    output?: Optional<number>;
    cache_read?: Optional<number>;
    cache_write?: Optional<number>;
    reasoning?: Optional<number>;
  }>;
  tags?: Optional<string[]>;
  metadata?: Optional<Record<string, unknown>>;
  /** True for the answer to a corrective message. */
  reprompt_used?: Optional<boolean>;
}

/**
 * Ground truth about a subject: whether it succeeded in the end. `subject_id`, `verification_id` or
 * `turn_id` identifies it.
 */
export interface OutcomeReport {
  id?: Optional<string>;
  subject_id?: Optional<string>;
  verification_id?: Optional<string>;
  turn_id?: Optional<string>;
  success?: Optional<boolean>;
  /** 0 to 1. */
  score?: Optional<number>;
  source?: Optional<string>;
  note?: Optional<string>;
}

export type Outcome = 'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';

export interface Issue {
  code: string;
  message: string;
  severity: 'low' | 'medium' | 'high';
  path: string | null;
}

export interface IntegrityFigure {
  text: string;
  /** Offsets into the answer in code points, end exclusive. */
  start: number;
  end: number;
  kind: string;
  sourced: boolean;
  source: { id: string; path: string } | null;
  [member: string]: unknown;
}

export interface IntegrityResult {
  mode: 'envelope' | 'fallback_scan';
  unsourced: number;
  parse_ok: boolean;
  reprompt_used: boolean;
  figures: IntegrityFigure[];
  /** The text to deliver, with marks on unsourced figures. */
  answer: string;
  sources_footer: string;
  /** The corrective message to send to the model once. */
  reprompt: string | null;
  [member: string]: unknown;
}

/**
 * A verification as the server returns it; members of later releases appear under their own names.
 */
export interface Verification {
  id: string;
  kind: string;
  /** `integrity@3` */
  verifier: string;
  state: 'settled' | 'pending' | 'quarantined';
  /** Null until it is settled. */
  outcome: Outcome | null;
  verdict: string | null;
  action: string;
  score: number | null;
  confidence: number | null;
  needs_human_review: boolean;
  issues: Issue[];
  feedback: string | null;
  subject_id: string;
  turn_id: string | null;
  session_id: string | null;
  model: string | null;
  created_at: string;
  settled_at: string | null;
  url: string;
  integrity?: IntegrityResult | null;
  [member: string]: unknown;
}
