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
import { firstJudgeChainOf, isAsked, JUDGE_DEADLINE_MS } from '../asking';
import type { RunSetting } from '../kind';
import type { DecompositionConfig } from './config';
import type { DecompositionSubject, GivenScores } from './subject';

type Setting = RunSetting<DecompositionConfig>;

/**
 * Who judges which: the planner's own model what is routine, someone who looks for faults what
 * much depends on (SOAR-2).
 */
export const optionOf = (complexity: Complexity): 'self' | 'adversarial' =>
  complexity === 'SIMPLE' || complexity === 'MEDIUM' ? 'self' : 'adversarial';

export const promptSlugOf = ({ complexity }: DecompositionSubject): string =>
  `decomposition-${optionOf(complexity)}`;

/** What was found, by a judge or the caller's own one, and where from. */
export type Found =
  | {
      readonly state: 'found';
      readonly finding: DecompositionFinding;
      readonly cached: boolean;
      readonly judged: Judged<unknown> | null;
    }
  | { readonly state: 'failed'; readonly judged: Extract<Judged<unknown>, { state: 'failed' }> };

/** Asks once for all four scores; what was kept of an equal question is taken instead. */
export function findOnce(
  subject: DecompositionSubject,
  setting: Setting,
): (structure: StructureDetail | null, ctx: EvaluatorContext) => Promise<Found> {
  let found: Promise<Found> | null = null;
  return (structure, ctx) => (found ??= find(subject, setting, structure, ctx));
}

async function find(
  subject: DecompositionSubject,
  setting: Setting,
  structure: StructureDetail | null,
  ctx: EvaluatorContext,
): Promise<Found> {
  const kept = DecompositionFinding.safeParse(setting.kept);
  if (kept.success) return { state: 'found', finding: kept.data, cached: true, judged: null };
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

/** What the caller brought, as a judge's finding: its three lists of issues are one (SOAR-11). */
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

/** What asking took; nothing where no one was asked. */
export const usageOf = (found: Found | null): typeof noUsage =>
  addUsage(noUsage, found?.judged?.usage ?? noUsage);

/**
 * A hash of all that a judge would be told and all that decides. Null where no judge would be
 * asked, and for whatever was made again after a verdict: a second attempt is judged afresh
 * (SOAR-12).
 */
export function cacheKeyOf(subject: DecompositionSubject, setting: Setting): string | null {
  if (subject.scores !== null || setting.retries.used > 0 || !isAsked(setting)) return null;
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
 * Some four characters a token; the system part and the prompt with its examples are some 2,500.
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
