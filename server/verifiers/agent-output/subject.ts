import { z } from 'zod';
import { CheckpointVerdict, RetryBudget } from '../checkpoint';

/** The same length that a decomposition allows. */
const Name = z.string().max(500);
const AGENTS_MAX = 1_000;

const Subgoal = z.object({
  id: Name.default(''),
  description: z.string().max(100_000).default(''),
  /** The query depends on this output: if it fails, so does the query (SOAR-18). */
  critical: z.boolean().default(false),
});

/**
 * The members of `POST /v1/verify/agent-output` that only this kind has. `output` may be any value,
 * since the verdict reports its faults.
 */
export const AgentOutputSubject = z.object({
  subgoal: Subgoal,
  output: z.unknown().refine((output) => output !== undefined, 'is required'),
  agents_available: z
    .array(Name.min(1, 'must not be empty'))
    .max(AGENTS_MAX, `must have at most ${AGENTS_MAX} items`)
    .default([]),
});
export type AgentOutputSubject = z.infer<typeof AgentOutputSubject>;

export const AgentOutputConfig = z.object({ retry_budget: RetryBudget });
export type AgentOutputConfig = z.infer<typeof AgentOutputConfig>;

const NextStep = z.enum([
  'use',
  'retry_other_agent',
  'retry_same_agent',
  'partial_with_warning',
  'abort_query',
]);
export type NextStep = z.infer<typeof NextStep>;

/** The member `agent_output` of a verdict. */
export const AgentOutputDetail = z.object({
  subgoal: Subgoal,
  agent: z.string().nullable(),
  format_valid: z.boolean(),
  format_errors: z.array(z.string()),
  /** As stated in the output; null if it states no valid one. */
  confidence: z.number().min(0).max(1).nullable(),
  verdict: CheckpointVerdict,
  next: NextStep,
  /** The agent to call when the next step is another agent; null otherwise. */
  next_agent: z.string().nullable(),
  /** Passed to the synthesis together with a failed output; null otherwise. */
  warning: z.string().nullable(),
  /** The reason for the failure; null if it did not fail. */
  error: z.string().nullable(),
  retry_feedback: z.string().nullable(),
});
export type AgentOutputDetail = z.infer<typeof AgentOutputDetail>;
