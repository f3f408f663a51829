/**
 * Coding agents that report their work as log records without spans. Each record becomes an event
 * of a span that the agent did not send: its prompt, its model calls and its tools.
 */
import type { Attributes } from '../span';
import { placeClaudeCode } from './claude-code';
import { placeCodex } from './codex';

/** The span that a record reports on. Texts identify it, so that records in any order meet. */
export interface AgentLog {
  /** Identifies the trace, where the record has no trace id; null when the record names none. */
  readonly trace: string | null;
  /** Identifies the span in its trace. */
  readonly span: string;
  /** Identifies the enclosing span; null for the outermost one. */
  readonly parent: string | null;
  readonly name: string;
  /** Milliseconds until the record's time; null where it has none. */
  readonly durationMs: number | null;
  /** Why the work failed; null where it did not. */
  readonly error: string | null;
}

/**
 * Where an event of a coding agent belongs; null for events unrelated to prompts, models or tools.
 * `timeNs` identifies events without an id.
 */
export function placeAgentLog(
  name: string,
  attributes: Attributes,
  timeNs: string,
): AgentLog | null {
  return placeClaudeCode(name, attributes, timeNs) ?? placeCodex(name, attributes, timeNs);
}
