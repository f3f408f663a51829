import type { Verification } from './turn';

/**
 * The members that the three checkpoints of a pipeline add to the common members of a verification
 * (docs/how-to/verify-pipelines.md), and their parser.
 */

/**
 * A task is not a checkpoint of a pipeline, but its generated work can be returned for a retry in
 * the same way.
 */
export type CheckpointKind = 'decomposition' | 'agent-output' | 'synthesis' | 'task';

/** The next step after an agent's output. */
export type NextStep =
  | 'use'
  | 'retry_other_agent'
  | 'retry_same_agent'
  | 'partial_with_warning'
  | 'abort_query';

/**
 * The substitute if no synthesis passed: the agents' own outputs, with a warning and its reason.
 */
export interface Fallback {
  warning: string;
  reason: string;
  agent_outputs: unknown[];
  [member: string]: unknown;
}

/** The members of a response that the helpers use; each is null for kinds without it. */
export interface CheckpointReply {
  /**
   * Starts with its own heading and can be put into the next prompt unchanged; null unless the
   * verdict requests a retry.
   */
  readonly feedback: string | null;
  readonly next: NextStep | null;
  readonly nextAgent: string | null;
  readonly warning: string | null;
  readonly fallback: Fallback | null;
}

/** Lenient: a missing or malformed member is null. */
export function readCheckpoint(
  kind: CheckpointKind,
  verification: Verification | null,
): CheckpointReply {
  const detail = objectOf(verification?.[kind.replace('-', '_')]);
  return {
    feedback: textOf(detail.retry_feedback) ?? textOf(verification?.feedback),
    // Ignores a value that a later release added.
    next: textOf(detail.next) as NextStep | null,
    nextAgent: textOf(detail.next_agent),
    warning: textOf(detail.warning) ?? textOf(detail.error),
    fallback: typeof detail.fallback === 'object' ? (detail.fallback as Fallback | null) : null,
  };
}

/**
 * Whether the verdict requests a retry: checkpoints use the verdict RETRY, other kinds the action.
 */
export function requestsRetry({ outcome, verdict, action }: Verification): boolean {
  return outcome !== 'passed' && (verdict === 'RETRY' || action === 'retry');
}

/**
 * The problem of judged work, for a caller that uses it anyway. Null only if it passed without a
 * remark.
 *
 * @param ended why a requested retry did not happen: `its budget of 1 retry is used up`; null if
 * the verdict requested none
 */
export function warningOf(
  reply: CheckpointReply,
  verification: Verification,
  ended: string | null,
): string | null {
  const { outcome } = verification;
  if (outcome === 'passed') return reply.warning;
  const reason = reply.warning ?? severeIssue(verification) ?? firstLine(verification.feedback);
  const withReason = (text: string): string => (reason === null ? text : `${text}: ${reason}`);
  if (ended !== null) return withReason(`It was not accepted, and ${ended}`);
  if (outcome === 'failed') return reply.warning ?? withReason('It was not accepted');
  return withReason(
    outcome === 'needs_review' ? 'A person must decide on it' : 'It could not be decided',
  );
}

function severeIssue({ issues }: Verification): string | null {
  return Array.isArray(issues)
    ? textOf(issues.find(({ severity }) => severity !== 'low')?.message)
    : null;
}

/** The first line after the feedback's heading, which carries no information. */
function firstLine(feedback: string | null): string | null {
  const lines = (textOf(feedback) ?? '').split('\n').map((line) => line.trim());
  return textOf(lines.find((line) => line !== '' && line !== 'PREVIOUS ATTEMPT FEEDBACK:'));
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
