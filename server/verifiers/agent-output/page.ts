import { z } from 'zod';
import { type CheckpointTexts, checkpointTexts } from '../checkpoint-page';
import {
  asText,
  detailObject,
  Flag,
  NumberOrNull,
  subjectOf,
  Text,
  TextOrNull,
  Texts,
} from '../lenient';

export interface AgentOutputView extends CheckpointTexts {
  readonly kind: 'agent-output';
  readonly subgoal: {
    readonly id: string;
    readonly description: string;
    readonly critical: boolean;
  };
  readonly agentsAvailable: readonly string[];
  readonly agent: string | null;
  readonly summary: string | null;
  /**
   * The JSON text of each other member of the output, by name; an output that is not an object is
   * one entry without a name.
   */
  readonly members: readonly (readonly [string, string])[];
  readonly formatErrors: readonly string[];
  /** 0..1. */
  readonly confidence: number | null;
  readonly next: string | null;
  readonly nextAgent: string | null;
}

const AgentOutputSubject = z.object({
  subgoal: z
    .object({ id: Text, description: Text, critical: Flag })
    .catch({ id: '', description: '', critical: false }),
  output: z.unknown().optional(),
  agents_available: Texts,
});

const AgentOutputDetail = z.object({
  agent: TextOrNull,
  format_errors: Texts,
  confidence: NumberOrNull,
  next: TextOrNull,
  next_agent: TextOrNull,
});

/**
 * The page's view of a verdict of the kind: the submitted work, and the findings on it. Null if the
 * subject cannot be parsed: the page then shows it as stored. Never throws.
 */
export function showAgentOutput(content: string, detail: unknown): AgentOutputView | null {
  const { data } = AgentOutputSubject.safeParse(subjectOf(content));
  if (data === undefined) return null;
  const { output } = data;
  const isObject = typeof output === 'object' && output !== null && !Array.isArray(output);
  const { summary, agent, ...others } = isObject
    ? (output as Record<string, unknown>)
    : { summary: null, agent: null };
  const {
    format_errors,
    next_agent,
    agent: named,
    ...read
  } = AgentOutputDetail.parse(detailObject(detail));
  const members = isObject ? Object.entries(others) : [['', output] as const];
  return {
    ...checkpointTexts(detail),
    ...read,
    kind: 'agent-output',
    subgoal: data.subgoal,
    agentsAvailable: data.agents_available,
    agent: named ?? (typeof agent === 'string' ? agent : null),
    summary: summary == null ? null : asText(summary),
    members: members
      .map(([name, value]) => [name, asText(value)] as const)
      .filter(([, text]) => text !== ''),
    formatErrors: format_errors,
    nextAgent: next_agent,
  };
}
