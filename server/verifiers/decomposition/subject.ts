import { z } from 'zod';
import { Complexity, isBlank } from '../../domain';
import { CheckpointVerdict } from '../checkpoint';

/*
 * A planner's decomposition of a query, and its context. The verdict reports missing, empty or
 * unresolved members; parsing refuses members of a wrong type or range (SOAR-11).
 */

const limits = {
  subgoals: 20_000,
  agents: 2_000,
  contexts: 1_000,
  textChars: 100_000,
  idChars: 500,
} as const;

const { subgoals: SUBGOALS_MAX, textChars: TEXT_MAX, idChars: ID_MAX } = limits;
const optionalText = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((value) => value ?? '');
const optionalName = z
  .string()
  .max(ID_MAX)
  .nullish()
  .transform((value) => (value == null || isBlank(value) ? null : value));
const nameList = z
  .array(z.string().max(ID_MAX))
  .max(SUBGOALS_MAX)
  .nullish()
  .transform((all) => all ?? []);

const Subgoal = z.object({
  id: optionalText(ID_MAX),
  description: optionalText(TEXT_MAX),
  agent: optionalName,
  depends_on: nameList,
  requires: nameList,
});

const Phase = z.object({ phase: z.enum(['sequential', 'parallel']), subgoals: nameList });

const Plan = z.object({
  goal: optionalText(TEXT_MAX),
  subgoals: z
    .array(Subgoal)
    .max(SUBGOALS_MAX)
    .nullish()
    .transform((all) => all ?? []),
  execution_order: z
    .array(Phase)
    .max(SUBGOALS_MAX)
    .nullish()
    .transform((all) => all ?? []),
});

const Agent = z.object({
  name: z
    .string()
    .max(ID_MAX)
    .refine((text) => !isBlank(text), 'must not be empty'),
  capabilities: nameList,
  tools: nameList,
  allowed_in: z
    .array(z.string().max(ID_MAX))
    .max(1_000)
    .nullish()
    .transform((all) => all ?? null),
});

const rate = z.number().min(0).max(1);
const remarkList = z
  .array(z.string().max(10_000))
  .max(500)
  .nullish()
  .transform((all) => all ?? []);

/** Scores from the caller's own judge; if they are given, no judge is called (SOAR-3, SOAR-11). */
const GivenScores = z.object({
  completeness: rate,
  consistency: rate,
  groundedness: rate,
  routability: rate,
  overall: rate.nullish().transform((value) => value ?? null),
  verdict: CheckpointVerdict.nullish().transform((value) => value ?? null),
  issues: remarkList,
  suggestions: remarkList,
  critical_issues: remarkList,
  minor_issues: remarkList,
  edge_cases: remarkList,
});
export type GivenScores = z.infer<typeof GivenScores>;

/**
 * The members of `POST /v1/verify/decomposition` that only this kind has. Parsing is idempotent.
 */
export const DecompositionSubject = z.object({
  query: z
    .string()
    .trim()
    .max(TEXT_MAX)
    .refine((text) => !isBlank(text), 'must not be empty'),
  complexity: Complexity.nullish().transform((word) => word ?? 'MEDIUM'),
  decomposition: Plan,
  /** Null if the available agents are unknown. */
  agents: z
    .array(Agent)
    .max(limits.agents)
    .nullish()
    .transform((all) => all ?? null),
  environment: optionalName,
  context: z
    .array(z.unknown())
    .max(limits.contexts)
    .nullish()
    .transform((all) => all ?? []),
  scores: GivenScores.nullish().transform((scores) => scores ?? null),
});
export type DecompositionSubject = z.infer<typeof DecompositionSubject>;
