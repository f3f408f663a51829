import type { Issue, Score } from '../../domain';
import { subjectQueries } from '../../evaluators/checks';
import { rounded } from '../asking';
import type { JudgedDecision, RunSetting } from '../kind';
import { noJudgeCost, decideCustom, type CustomBasis, type CustomSubject } from '../custom';
import type { Walk } from '../plan-node';
import type { ChecksConfig } from './config';
import type { ChecksDetail } from './detail';

const TEXT_MAX = 300;
const REASON_MAX = 800;
const FEEDBACK_ITEMS_MAX = 30;

interface Result {
  readonly at: number;
  readonly score: Score;
  readonly check: string;
  readonly field: string | null;
}

/**
 * The value is the weighted mean of the checks with a result; each check that must pass counts as a
 * separate part, met or not. Without any result there is no value.
 */
export function decideChecks(
  walk: Walk,
  _subject: CustomSubject,
  setting: RunSetting<ChecksConfig>,
): JudgedDecision<ChecksDetail> {
  const results = setting.config.checks.flatMap((entry, at): Result[] => {
    const score = walk.scores[at];
    const field = subjectQueries(entry).find(({ name }) => name === 'field')?.query ?? null;
    return score === undefined ? [] : [{ at, score, check: entry.check, field }];
  });
  const decided = decideCustom(
    {
      basis: basisOfChecks(results.map(({ score }) => score)),
      issues: results.flatMap(issuesOf),
      feedback: feedbackOf(results, setting),
      detail: { results: results.map(resultOf) },
      judgeCost: noJudgeCost,
      toCache: null,
    },
    setting,
  );
  return decided.verdict === 'fail' ? decided : { ...decided, feedback: null };
}

export function basisOfChecks(scores: readonly Score[]): CustomBasis {
  const scored = scores.filter((score) => score.state === 'scored');
  const required = scored.filter((score) => score.must_pass);
  return {
    value: scored.length === 0 ? null : rounded(meanOf(scored)),
    must_pass: required.length === 0 ? null : required.every((score) => score.met) ? 1 : 0,
    confidence: null,
    broken: scores.some(({ state }) => state === 'failed'),
    disputed: false,
    not_judged: null,
  };
}

/** Weighted mean; the plain mean if all weights are 0. */
function meanOf(scored: readonly { readonly value: number; readonly weight: number }[]): number {
  const total = scored.reduce((sum, { weight }) => sum + weight, 0);
  const weightOf = (weight: number): number => (total === 0 ? 1 : weight);
  const sum = scored.reduce((all, { value, weight }) => all + value * weightOf(weight), 0);
  return Math.min(1, sum / (total === 0 ? scored.length : total));
}

const resultOf = ({ score, check, field }: Result): ChecksDetail['results'][number] => ({
  check,
  name: score.name,
  met: score.met,
  value: score.value,
  state: score.state,
  reasoning: score.reasoning,
  field,
});

function issuesOf({ at, score }: Result): Issue[] {
  if (score.state === 'unscored' || score.met === true) return [];
  const text = `${score.name}: ${score.reasoning ?? 'it is not met'}`;
  return [
    {
      code: score.state === 'failed' ? 'check_broke' : 'check_not_met',
      message: cut(text, TEXT_MAX),
      severity: score.state === 'failed' || score.must_pass ? 'high' : 'medium',
      path: `checks[${at}]`,
    },
  ];
}

/** For the agent, so that it revises its work; null if every check is met. */
function feedbackOf(
  results: readonly Result[],
  { config, retries }: RunSetting<ChecksConfig>,
): string | null {
  const missed = results.filter(({ score }) => score.met === false);
  if (missed.length === 0) return null;
  const lines = missed
    .toSorted((a, b) => Number(b.score.must_pass) - Number(a.score.must_pass))
    .slice(0, FEEDBACK_ITEMS_MAX)
    .map(
      ({ score }) =>
        `- ${score.name}${score.must_pass ? ' (must be met)' : ''}: ${cut(score.reasoning ?? '', REASON_MAX)}`,
    );
  const more = missed.length - lines.length;
  return [
    `Attempt ${retries.used + 1} of ${retries.budget + 1} failed "${config.name}". Fix these points and keep the rest:`,
    ...lines,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ]
    .join('\n')
    .toWellFormed();
}

const cut = (text: string, max: number): string =>
  (text.length > max ? `${text.slice(0, max)}…` : text).toWellFormed();
