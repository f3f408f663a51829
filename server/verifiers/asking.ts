import type { Score } from '../domain';
import { measuredBy } from '../evaluators';
import type { ReplacedJudge } from '../evaluators/judges';
import type { EffectiveThresholds } from '../thresholds';
import type { Asked, RunSetting } from './kind';

/** What kinds that ask judges have in common. */

/**
 * Of nodes that ask; what is dearer is asked later, and not where something that must pass did not.
 */
export const ASKING = 100;
/** For one question to one judge, waiting and retries of the provider included. */
export const JUDGE_DEADLINE_MS = 90_000;
/**
 * Two attempts at a question by each of three judges behind each other would be more; then the last
 * one has run out of time.
 */
export const JUDGE_NODE_TIMEOUT_MS = 4 * JUDGE_DEADLINE_MS;

type Setting = RunSetting<unknown>;

export const isAsked = ({ notJudged, judges }: Setting): boolean =>
  notJudged === null && judges.length > 0;

/**
 * A judge that sits alone has others behind it; each of a jury speaks for itself or not at all
 * (R-59).
 */
export function judgeChainsOf({ judges, fallbackJudges }: Setting): readonly (readonly string[])[] {
  return judges.length === 1 ? [[...judges, ...fallbackJudges]] : judges.map((model) => [model]);
}

/** Where no one sits in a jury but the first is asked: a summary, and each of many pairs. */
export const firstJudgeChainOf = (setting: Setting): readonly string[] => [
  ...setting.judges.slice(0, 1),
  ...setting.fallbackJudges,
];

/** The value in force; `standard` only where the kind's keys do not hold it. */
export function thresholdOf(
  { thresholds }: Pick<Setting, 'thresholds'>,
  key: string,
  standard: number,
): number {
  return inForce(thresholds, key, standard);
}

export function inForce(thresholds: EffectiveThresholds, key: string, standard: number): number {
  return thresholds.get(key)?.value ?? standard;
}

/**
 * Judges had been called for, whether or not they could be asked: no one is told of what was not
 * wanted (VS-39).
 */
export const isWanted = ({ notJudged }: Pick<Setting, 'notJudged'>): boolean =>
  notJudged === null || notJudged.state === 'over_budget';

/** Without a judge a score has broken; where none is to be asked it is merely not there. */
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

/** What all questions together took, and who answered; where no one did, who was asked. */
export function askedOf(all: readonly JudgeCall[]): Asked {
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

/** To four decimals, as scores are compared. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** One line of a text, for lists. */
export function lineOf(text: string): string {
  return text.slice(0, 600).replace(/\s+/g, ' ').trim().slice(0, 160).toWellFormed();
}
