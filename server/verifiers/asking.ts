import type { Score } from '../domain';
import { measuredBy } from '../evaluators';
import type { ReplacedJudge } from '../evaluators/judges';
import type { EffectiveThresholds } from '../thresholds';
import type { JudgeCost, RunSetting } from './kind';

/** Shared by all kinds that call judges. */

/**
 * Cost of nodes that call a judge: the walker runs them last, and skips them after a failed
 * required check.
 */
export const ASKING = 100;
/** For one call to one judge, including the provider's waits and retries. */
export const JUDGE_DEADLINE_MS = 90_000;
/**
 * Shorter than two attempts by each of three judges in sequence: in that case the last judge times
 * out.
 */
export const JUDGE_NODE_TIMEOUT_MS = 4 * JUDGE_DEADLINE_MS;

type Setting = RunSetting<unknown>;

export const callsJudges = ({ notJudged, judges }: Setting): boolean =>
  notJudged === null && judges.length > 0;

/**
 * The judges to call, each with its fallbacks. A single judge has fallbacks; a jury member has none
 * (R-59).
 */
export function judgeChainsOf({ judges, fallbackJudges }: Setting): readonly (readonly string[])[] {
  return judges.length === 1 ? [[...judges, ...fallbackJudges]] : judges.map((model) => [model]);
}

/**
 * The first judge and its fallbacks, for questions that no jury answers (a summary, or one of many
 * pairs).
 */
export const firstJudgeChainOf = (setting: Setting): readonly string[] => [
  ...setting.judges.slice(0, 1),
  ...setting.fallbackJudges,
];

/** The effective threshold; `standard` only if the kind has no such key. */
export function thresholdOf(
  { thresholds }: Pick<Setting, 'thresholds'>,
  key: string,
  standard: number,
): number {
  return thresholdValue(thresholds, key, standard);
}

export function thresholdValue(
  thresholds: EffectiveThresholds,
  key: string,
  standard: number,
): number {
  return thresholds.get(key)?.value ?? standard;
}

/**
 * Whether judging was requested, even if no judge could be called. If it was not, no person is
 * notified (VS-39).
 */
export const isJudgingRequested = ({ notJudged }: Pick<Setting, 'notJudged'>): boolean =>
  notJudged === null || notJudged.state === 'over_budget';

/** The score if no judge was called: `failed` if judging was requested, otherwise `unscored`. */
export function scoreOfNoJudge(
  { notJudged, whyNone }: Setting,
  evaluator: string,
  title: string,
): Score {
  const base = { ...measuredBy(evaluator, title), value: null, met: null };
  return notJudged === null
    ? {
        ...base,
        state: 'failed',
        reasoning: `no judge can be asked: ${whyNone ?? 'no provider is configured'}`,
      }
    : { ...base, state: 'unscored', reasoning: `no judge was asked: ${notJudged.reason}` };
}

interface JudgeCall {
  readonly models: readonly string[];
  readonly answered: boolean;
  readonly retryAfterMs: number | null;
  readonly usage: {
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costUsd: number;
    readonly priceUnknown: boolean;
    readonly replaced?: readonly ReplacedJudge[];
  };
}

/**
 * The total usage of all judge calls, and the models that answered; if none did, the models called.
 */
export function sumJudgeCost(all: readonly JudgeCall[]): JudgeCost {
  const answered = all.filter((each) => each.answered);
  const models = [
    ...new Set((answered.length > 0 ? answered : all).flatMap((each) => each.models)),
  ];
  const replaced = all.flatMap(({ usage }) => usage.replaced ?? []);
  const waits = all.flatMap(({ retryAfterMs }) => (retryAfterMs === null ? [] : [retryAfterMs]));
  return {
    calls: all.reduce((sum, { usage }) => sum + usage.calls, 0),
    tokens: all.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0),
    costUsd: all.reduce((sum, { usage }) => sum + usage.costUsd, 0),
    priceUnknown: all.some(({ usage }) => usage.priceUnknown),
    model: models.length === 0 ? null : models.join(' + '),
    retryAfterMs: waits.length === 0 ? null : Math.max(...waits),
    ...(replaced.length > 0 && { replaced }),
  };
}

/** To four decimals, the precision of score comparisons. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** One line of a text, for lists. */
export function lineOf(text: string): string {
  return text.slice(0, 600).replace(/\s+/g, ' ').trim().slice(0, 160).toWellFormed();
}
