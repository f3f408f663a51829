import type { Issue } from '../../domain';
import type { ContentFault } from './content';

/** Every fault that an output can have. */
export type OutputFault = ContentFault | 'invalid_format' | 'agent_failed' | 'low_confidence';

export interface OutputIssue extends Issue {
  readonly code: OutputFault;
}

/**
 * The advice for each fault in the next attempt. Sent from the second attempt on, when the name of
 * the fault was not enough.
 */
const adviceByFault: Record<OutputFault, string> = {
  invalid_format:
    'hand in summary, data, confidence, tools_used and metadata, each of the type that is named',
  agent_failed: 'go another way than the one that failed, and say what was reached without it',
  low_confidence:
    'check with another tool or source what was only supposed, and name what stays open',
  off_topic: 'answer the subgoal in its own words, and leave out what it does not ask for',
  truncated: 'make the summary short enough to be brought to its end',
  confidence_too_high:
    'find what the summary says is missing, or state a confidence that allows for it',
  confidence_too_low:
    'say in the summary what is missing, or state a confidence that fits what is there',
};

/** One line per kind of fault, however many issues it has. */
export function adviceLines(issues: readonly OutputIssue[]): readonly string[] {
  return [...new Set(issues.map(({ code }) => code))].map(
    (code) => `- ${code.replaceAll('_', ' ')}: ${adviceByFault[code]}`,
  );
}
