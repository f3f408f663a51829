import type { PromptExample } from '../../domain';
import type { StructureDetail } from '../../evaluators/subgoals';
import { sumJudgeCost, isJudgingRequested, rounded, thresholdOf } from '../asking';
import {
  checkpointAction,
  type CheckpointBasis,
  type CheckpointRuling,
  hasRetries,
  rederiveCheckpoint,
  rulingOf,
} from '../checkpoint';
import type { Walk } from '../plan-node';
import { withholdPass } from '../shortened';
import type { JudgedDecision, RunSetting } from '../kind';
import type { DecompositionConfig } from './config';
import { type DecompositionDetail, dimensions, type Scores } from './detail';
import { feedbackOf } from './feedback';
import { issuesOf } from './issues';
import { type FoundScores, optionOf, promptSlugOf, usageOf } from './judging';
import { foundOf, structureOf } from './plan';
import type { DecompositionSubject } from './subject';

type Setting = RunSetting<DecompositionConfig>;

/**
 * The weighted sum of the four scores, to 4 decimals (SOAR-3, SOAR-4, X-6): 0.4·0.7 + 0.2·0.7 +
 * 0.2·0.95 + 0.2·0.45 is 0.7, and not the 0.6999999999999998 of floating point.
 */
export function overallOf(scores: Scores): number {
  return rounded(dimensions.reduce((sum, { name, weight }) => sum + weight * scores[name], 0));
}

/**
 * Decides by the computed score, as every checkpoint does (SOAR-6 to SOAR-10). A faulty structure
 * never passes, and is sent back without a score; a sound one without scores has no verdict.
 * Pure.
 */
export function decideDecomposition(
  walk: Walk,
  subject: DecompositionSubject,
  setting: Setting,
): JudgedDecision<DecompositionDetail> {
  const structure = structureOf(walk.details);
  const found = foundOf(walk.details);
  const finding = found?.state === 'found' ? found.finding : null;
  const scores = finding?.scores ?? null;
  const overall = scores === null ? null : overallOf(scores);
  const basis = basisOf(structure, overall, setting);
  const ruling = rulingOf(basis, setting.thresholds);
  const verdict = ruling?.verdict ?? null;
  const issues = issuesOf({ structure, found, overall, verdict, subject, setting });
  const suggestions = suggestionsOf(structure, finding?.suggestions ?? []);
  const option = optionOf(subject.complexity);
  const error = verdict === 'FAIL' && ruling !== null ? errorOf(ruling, overall, setting) : null;
  const retry =
    verdict === 'RETRY'
      ? feedbackOf({
          subject,
          scores,
          overall,
          passMark: thresholdOf(setting, 'pass_threshold', 0.7),
          structure,
          issues: issues.filter(({ code }) => !ofJudging.has(code)).map(({ message }) => message),
          suggestions,
          ...setting.retries,
          example: goodExampleOf(subject, setting),
        })
      : null;
  const decided = {
    verdict,
    action: verdict === null && !isJudgingRequested(setting) ? 'none' : checkpointAction(verdict),
    score: overall,
    confidence: null,
    needsHumanReview: rederiveCheckpoint(basis, setting.thresholds).needsHumanReview,
    issues,
    feedback:
      retry ??
      (error === null
        ? null
        : [error, ...suggestions.slice(0, 10).map((line) => `- ${line}`)].join('\n')),
    detail: {
      option,
      complexity: subject.complexity,
      scores,
      overall_score: overall,
      stated_overall: finding?.statedOverall ?? null,
      stated_verdict: finding?.statedVerdict ?? null,
      self_verified: subject.scores === null && finding !== null && setting.selfJudged === true,
      verdict,
      issues: issues.map(({ message }) => message),
      suggestions: [...suggestions],
      error,
      retry_feedback: retry,
    },
    judgeCost: sumJudgeCost(judgeCallsOf(found)),
    basis,
    toCache:
      verdict === null || found?.state !== 'found' || found.judged === null ? null : found.finding,
  };
  return withholdPass(decided, finding?.leftOut ?? 0, verdict === 'PASS');
}

/** Issues about the judging itself, which the planner cannot fix. */
const ofJudging = new Set([
  'overall_corrected',
  'verdict_corrected',
  'judge_failed',
  'shortened',
  'agents_unchecked',
  'llm_skipped',
]);

function basisOf(
  structure: StructureDetail | null,
  overall: number | null,
  setting: Setting,
): CheckpointBasis {
  return {
    score: overall,
    floor: true,
    faulty: structure?.faulty ?? false,
    left: hasRetries(setting),
    // A structure that was not checked may be faulty, regardless of the score.
    open: structure === null || (overall === null && !structure.faulty),
    // A person is notified if judging was too expensive or failed, but not if it was not requested.
    calls: isJudgingRequested(setting),
    passed_over: !isJudgingRequested(setting),
  };
}

/** States the reason for the failure: the score or the number of retries (SOAR-13). */
function errorOf(
  { failedBy }: CheckpointRuling,
  overall: number | null,
  { retries, thresholds }: Setting,
): string {
  if (failedBy !== 'retries' && overall !== null) {
    return `The decomposition failed verification: its score of ${overall} is below ${thresholds.get('retry_threshold')?.value ?? 0.5}, where a retry does not help`;
  }
  return `The query could not be decomposed into subgoals that work, after ${retries.used} ${retries.used === 1 ? 'retry' : 'retries'}`;
}

/** The advice for each fault, then the judge's suggestions, without duplicates. */
function suggestionsOf(
  structure: StructureDetail | null,
  judged: readonly string[],
): readonly string[] {
  const advice = (structure?.findings ?? [])
    .filter(({ code }) => code !== 'agents_unchecked')
    .map((each) => each.advice);
  return [...new Set([...advice, ...judged])].slice(0, 50);
}

function goodExampleOf(subject: DecompositionSubject, { prompts }: Setting): PromptExample | null {
  const good = (prompts.get(promptSlugOf(subject))?.examples ?? []).filter(
    ({ band }) => band === 'good',
  );
  return good.find(({ complexity }) => complexity === subject.complexity) ?? good[0] ?? null;
}

function judgeCallsOf(found: FoundScores | null): Parameters<typeof sumJudgeCost>[0] {
  const judged = found?.judged ?? null;
  if (judged === null) return [];
  return [
    {
      models: judged.model === null ? [] : [judged.model],
      answered: judged.state === 'judged',
      retryAfterMs: judged.state === 'failed' ? judged.retryAfterMs : null,
      usage: usageOf(found),
    },
  ];
}
