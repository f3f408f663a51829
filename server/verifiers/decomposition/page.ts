import { z } from 'zod';
import { type CheckpointTexts, checkpointTexts } from '../checkpoint-page';
import { detailObject, Flag, NumberOrNull, subjectOf, Text, TextOrNull, Texts } from '../lenient';

export interface SubgoalView {
  readonly id: string;
  readonly description: string;
  readonly agent: string | null;
  readonly dependsOn: readonly string[];
  readonly requires: readonly string[];
}

export interface DecompositionView extends CheckpointTexts {
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
  overall_score: NumberOrNull,
  stated_overall: NumberOrNull,
  stated_verdict: TextOrNull,
});

/**
 * The page's view of a verdict of the kind: the submitted work, and the findings on it. Null if the
 * subject cannot be parsed: the page then shows it as stored. Never throws.
 */
export function showDecomposition(content: string, detail: unknown): DecompositionView | null {
  const { data } = DecompositionSubject.safeParse(subjectOf(content));
  if (data === undefined) return null;
  const { decomposition, agents, query, complexity, environment, context } = data;
  const read = DecompositionDetail.parse(detailObject(detail));
  return {
    ...checkpointTexts(detail),
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
