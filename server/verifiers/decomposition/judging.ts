import { createHash } from 'node:crypto';
import type { Complexity } from '../../domain';
import type { EvaluatorContext } from '../../evaluators';
import {
  addUsage,
  DecompositionFinding,
  type Judged,
  judgeDecomposition,
  mergeIssues,
  noUsage,
  plainTexts,
  readingCost,
  WINDOWING,
} from '../../evaluators/judges';
import type { StructureDetail } from '../../evaluators/subgoals';
import { firstJudgeChainOf, callsJudges, JUDGE_DEADLINE_MS } from '../asking';
import type { RunSetting } from '../kind';
import type { DecompositionConfig } from './config';
import type { DecompositionSubject, GivenScores } from './subject';

type Setting = RunSetting<DecompositionConfig>;

/**
 * Chooses the judge: the planner's own model for routine queries, an adversarial judge for queries
 * that much depends on (SOAR-2).
 */
export const optionOf = (complexity: Complexity): 'self' | 'adversarial' =>
  complexity === 'SIMPLE' || complexity === 'MEDIUM' ? 'self' : 'adversarial';

export const promptSlugOf = ({ complexity }: DecompositionSubject): string =>
  `decomposition-${optionOf(complexity)}`;

/** The finding and its origin: a judge, the cache or the caller's own judge. */
export type FoundScores =
  | {
      readonly state: 'found';
      readonly finding: DecompositionFinding;
      readonly cached: boolean;
      readonly judged: Judged<unknown> | null;
    }
  | { readonly state: 'failed'; readonly judged: Extract<Judged<unknown>, { state: 'failed' }> };

/**
 * Requests all four scores in one call; uses the cached answer to an equal question if there is
 * one.
 */
export function findOnce(
  subject: DecompositionSubject,
  setting: Setting,
): (structure: StructureDetail | null, ctx: EvaluatorContext) => Promise<FoundScores> {
  let found: Promise<FoundScores> | null = null;
  return (structure, ctx) => (found ??= find(subject, setting, structure, ctx));
}

async function find(
  subject: DecompositionSubject,
  setting: Setting,
  structure: StructureDetail | null,
  ctx: EvaluatorContext,
): Promise<FoundScores> {
  const cached = DecompositionFinding.safeParse(setting.cached);
  if (cached.success) return { state: 'found', finding: cached.data, cached: true, judged: null };
  const slug = promptSlugOf(subject);
  const prompt = setting.prompts.get(slug);
  if (prompt === undefined) throw new Error(`there is no prompt "${slug}"`);
  const { query, complexity, decomposition, agents, environment, context } = subject;
  const judged = await judgeDecomposition(
    {
      prompt,
      option: optionOf(complexity),
      query,
      complexity,
      decomposition,
      agents,
      environment,
      context,
      findings: structure?.findings.map(({ message }) => message) ?? [],
      shownChars: setting.config.shown_chars,
      purpose: `decomposition ${optionOf(complexity)}`,
    },
    { models: firstJudgeChainOf(setting), deadlineMs: JUDGE_DEADLINE_MS },
    ctx,
  );
  if (judged.state === 'failed') return { state: 'failed', judged };
  return { state: 'found', finding: judged.reply, cached: false, judged };
}

/** The caller's scores as a judge's finding, with its three lists of issues merged (SOAR-11). */
export function findingOf(scores: GivenScores): DecompositionFinding {
  const { completeness, consistency, groundedness, routability, overall, verdict, suggestions } =
    scores;
  return {
    scores: { completeness, consistency, groundedness, routability },
    statedOverall: overall,
    statedVerdict: verdict,
    reasoning: 'as the caller handed it over',
    issues: [...mergeIssues(scores)],
    suggestions: [...plainTexts(suggestions)],
    model: null,
    leftOut: 0,
  };
}

/** The usage of judge calls; zero if no judge was called. */
export const usageOf = (found: FoundScores | null): typeof noUsage =>
  addUsage(noUsage, found?.judged?.usage ?? noUsage);

/**
 * A hash of the judge's whole input and of every setting that affects the decision. Null if no
 * judge is called, and for a new attempt after a verdict, since each attempt is judged again
 * (SOAR-12).
 */
export function cacheKeyOf(subject: DecompositionSubject, setting: Setting): string | null {
  if (subject.scores !== null || setting.retries.used > 0 || !callsJudges(setting)) return null;
  const parts = [
    WINDOWING,
    subject,
    setting.prompts.get(promptSlugOf(subject))?.version,
    firstJudgeChainOf(setting),
    setting.selfJudged === true,
    [...setting.thresholds]
      .map(([key, { value }]) => [key, value])
      .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    setting.config,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Assumes four characters per token, and 2,500 tokens for the system message and the prompt with
 * its examples.
 */
export function estimateOf(
  { decomposition, query, context, scores }: DecompositionSubject,
  { config }: Setting,
): { readonly inputTokens: number; readonly outputTokens: number } {
  if (scores !== null) return { inputTokens: 0, outputTokens: 0 };
  const shown = decomposition.subgoals.reduce(
    (sum, each) => sum + each.description.length + 80,
    decomposition.goal.length,
  );
  const given =
    (context.length === 0 ? 0 : Math.min(48_000, JSON.stringify(context).length)) +
    2 * Math.min(24_000, query.length);
  const { calls, chars } = readingCost(shown, config.shown_chars);
  return {
    inputTokens: calls * 2_500 + Math.ceil((chars + calls * given) / 4),
    outputTokens: calls * 600,
  };
}
