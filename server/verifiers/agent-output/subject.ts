import { z } from 'zod';
import { CheckpointVerdict, RetryBudget } from '../checkpoint';

/** As long as a decomposition may make them. */
const Name = z.string().max(500);
const AGENTS_MAX = 1_000;

const Subgoal = z.object({
  id: Name.default(''),
  description: z.string().max(100_000).default(''),
  /** A query cannot do without it: when it fails, so does the query (SOAR-18). */
  critical: z.boolean().default(false),
});

/**
 * The members of `POST /v1/verify/agent-output` that are its own. Whatever `output` is: what is
 * wrong with it is the verdict's to say.
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
  /** As the output states it; null where it states none that is one. */
  confidence: z.number().min(0).max(1).nullable(),
  verdict: CheckpointVerdict,
  next: NextStep,
  /** Whom to ask where the next step is another agent; null otherwise. */
  next_agent: z.string().nullable(),
  /** Goes into the synthesis next to an output that failed; null otherwise. */
  warning: z.string().nullable(),
  /** Why it failed; null where it did not. */
  error: z.string().nullable(),
  retry_feedback: z.string().nullable(),
});
export type AgentOutputDetail = z.infer<typeof AgentOutputDetail>;
