import { z } from 'zod';

/**
 * The page's view of a verdict at a checkpoint of a pipeline: the submitted work, and the findings
 * on it.
 */
export type CheckpointView = DecompositionView | AgentOutputView | SynthesisView;

export interface SubgoalView {
  readonly id: string;
  readonly description: string;
  readonly agent: string | null;
  readonly dependsOn: readonly string[];
  readonly requires: readonly string[];
}

/** The texts of a verdict; all empty while there is none. */
interface Told {
  readonly error: string | null;
  readonly warning: string | null;
  readonly retryFeedback: string | null;
  readonly suggestions: readonly string[];
}

export interface DecompositionView extends Told {
  readonly kind: 'decomposition';
  readonly query: string;
  readonly complexity: string | null;
  readonly environment: string | null;
  readonly context: readonly string[];
  readonly agents: readonly {
    readonly name: string;
    readonly skills: readonly string[];
    readonly allowedIn: readonly string[] | null;
  }[];
  readonly goal: string;
  readonly subgoals: readonly SubgoalView[];
  readonly order: readonly { readonly parallel: boolean; readonly subgoals: readonly string[] }[];
  /** `self` or `adversarial`; null if nothing was judged. */
  readonly option: string | null;
  readonly selfVerified: boolean;
  /** 0..1, in the order of their weights; empty if nothing was scored. */
  readonly scores: readonly { readonly name: string; readonly value: number }[];
  readonly overall: number | null;
  readonly statedOverall: number | null;
  readonly statedVerdict: string | null;
}

export interface AgentOutputView extends Told {
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
   * The JSON text of each other member of the output, by its name; a non-object output as a whole,
   * under no name.
   */
  readonly members: readonly (readonly [string, string])[];
  readonly formatErrors: readonly string[];
  /** 0..1. */
  readonly confidence: number | null;
  readonly next: string | null;
  readonly nextAgent: string | null;
}

export interface ClaimView {
  readonly text: string;
  /** Code points of the answer, end exclusive; null if it does not occur there verbatim. */
  readonly start: number | null;
  readonly end: number | null;
  readonly state: 'supported' | 'unsupported' | 'undecided';
  /** Ids of outputs. */
  readonly supportedBy: readonly string[];
  readonly by: string | null;
  readonly reason: string | null;
}

export interface SynthesisView extends Told {
  readonly kind: 'synthesis';
  readonly query: string;
  readonly answer: string;
  readonly outputs: readonly {
    readonly id: string;
    readonly agent: string | null;
    readonly summary: string;
    readonly data: string | null;
  }[];
  readonly claims: readonly ClaimView[];
  /** 0..1, as the next two; null if it was not measured. */
  readonly traceability: number | null;
  readonly coherence: number | null;
  readonly completeness: number | null;
  readonly fallback: { readonly warning: string; readonly reason: string } | null;
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value, null, 2);

/**
 * Read leniently, member by member: data of an earlier release is shown as far as it can be read.
 */
const Text = z.unknown().optional().transform(asText);
const TextOrNull = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => text ?? null);
const Texts = z.array(Text).catch([]);
const Rate = z.number().nullable().catch(null);
const Flag = z.boolean().catch(false);

const DecompositionSubject = z.object({
  query: Text,
  complexity: TextOrNull,
  environment: TextOrNull,
  context: z.union([Texts, Text.transform((text) => (text === '' ? [] : [text]))]),
  agents: z
    .array(
      z.object({
        name: Text,
        capabilities: Texts,
        tools: Texts,
        allowed_in: z.array(Text).nullable().catch(null),
      }),
    )
    .catch([]),
  decomposition: z
    .object({
      goal: Text,
      subgoals: z
        .array(
          z.object({
            id: Text,
            description: Text,
            agent: TextOrNull,
            depends_on: Texts,
            requires: Texts,
          }),
        )
        .catch([]),
      execution_order: z.array(z.object({ phase: Text, subgoals: Texts })).catch([]),
    })
    .catch({ goal: '', subgoals: [], execution_order: [] }),
});

const scoreNames = ['completeness', 'consistency', 'groundedness', 'routability'] as const;

const DecompositionDetail = z.object({
  option: TextOrNull,
  self_verified: Flag,
  scores: z.record(z.string(), z.number()).nullable().catch(null),
  overall_score: Rate,
  stated_overall: Rate,
  stated_verdict: TextOrNull,
});

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
  confidence: Rate,
  next: TextOrNull,
  next_agent: TextOrNull,
});

const SynthesisSubject = z.object({
  query: Text,
  answer: Text,
  agent_outputs: z
    .array(z.object({ id: Text, agent: TextOrNull, summary: Text, data: z.unknown().optional() }))
    .catch([]),
});

const Place = z.number().int().nullable().catch(null);
const Claim = z.object({
  text: Text,
  start: Place,
  end: Place,
  state: z.enum(['supported', 'unsupported', 'undecided']),
  supported_by: Texts,
  by: TextOrNull,
  reason: TextOrNull,
});

const SynthesisDetail = z.object({
  claims: z.array(Claim.nullable().catch(null)).catch([]),
  traceability: Rate,
  coherence: Rate,
  completeness: Rate,
  fallback: z.object({ warning: Text, reason: Text }).nullable().catch(null),
});

const ToldDetail = z.object({
  error: TextOrNull,
  warning: TextOrNull,
  retry_feedback: TextOrNull,
  suggestions: Texts,
});

/**
 * @param content the stored JSON text, `{"subject":…,"facts":…}`
 * @param detail the verdict's stored member; anything, or nothing if there is no verdict yet
 * @returns null for other kinds, and if the subject cannot be read: the page then shows it as
 * stored. Never throws
 */
export function viewCheckpoint(
  kind: string,
  content: string,
  detail: unknown,
): CheckpointView | null {
  const subject = subjectOf(content);
  const known =
    typeof detail === 'object' && detail !== null && !Array.isArray(detail) ? detail : {};
  const { retry_feedback: retryFeedback, ...words } = ToldDetail.parse(known);
  const told: Told = { ...words, retryFeedback };
  if (kind === 'decomposition') return decompositionOf(subject, known, told);
  if (kind === 'agent-output') return agentOutputOf(subject, known, told);
  return kind === 'synthesis' ? synthesisOf(subject, known, told) : null;
}

function decompositionOf(subject: unknown, detail: object, told: Told): DecompositionView | null {
  const { data } = DecompositionSubject.safeParse(subject);
  if (data === undefined) return null;
  const { decomposition, agents, query, complexity, environment, context } = data;
  const read = DecompositionDetail.parse(detail);
  return {
    ...told,
    kind: 'decomposition',
    query,
    complexity,
    environment,
    context,
    agents: agents.map(({ name, capabilities, tools, allowed_in }) => ({
      name,
      skills: [...capabilities, ...tools],
      allowedIn: allowed_in,
    })),
    goal: decomposition.goal,
    subgoals: decomposition.subgoals.map(({ depends_on, ...subgoal }) => ({
      ...subgoal,
      dependsOn: depends_on,
    })),
    order: decomposition.execution_order.map(({ phase, subgoals }) => ({
      parallel: phase === 'parallel',
      subgoals,
    })),
    option: read.option,
    selfVerified: read.self_verified,
    scores: scoreNames.flatMap((name) => {
      const value = read.scores?.[name];
      return value === undefined ? [] : [{ name, value }];
    }),
    overall: read.overall_score,
    statedOverall: read.stated_overall,
    statedVerdict: read.stated_verdict,
  };
}

function agentOutputOf(subject: unknown, detail: object, told: Told): AgentOutputView | null {
  const { data } = AgentOutputSubject.safeParse(subject);
  if (data === undefined) return null;
  const { output } = data;
  const isObject = typeof output === 'object' && output !== null && !Array.isArray(output);
  const { summary, agent, ...others } = isObject
    ? (output as Record<string, unknown>)
    : { summary: null, agent: null };
  const { format_errors, next_agent, agent: named, ...read } = AgentOutputDetail.parse(detail);
  const members = isObject ? Object.entries(others) : [['', output] as const];
  return {
    ...told,
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

function synthesisOf(subject: unknown, detail: object, told: Told): SynthesisView | null {
  const { data } = SynthesisSubject.safeParse(subject);
  if (data === undefined) return null;
  const { claims, ...read } = SynthesisDetail.parse(detail);
  return {
    ...told,
    ...read,
    kind: 'synthesis',
    query: data.query,
    answer: data.answer,
    outputs: data.agent_outputs.map(({ data: value, agent, ...output }) => ({
      ...output,
      agent: agent === '' ? null : agent,
      data: isEmpty(value) ? null : asText(value),
    })),
    claims: claims.flatMap((each) => {
      if (each === null) return [];
      const { supported_by, ...claim } = each;
      return [{ ...claim, supportedBy: supported_by }];
    }),
  };
}

/** No data, or an empty object or list. */
const isEmpty = (value: unknown): boolean =>
  value == null || (typeof value === 'object' && Object.keys(value).length === 0);

function subjectOf(content: string): unknown {
  try {
    return z.object({ subject: z.unknown() }).parse(JSON.parse(content)).subject;
  } catch {
    return null;
  }
}
