import type { Score } from '../../domain';
import {
  addUsage,
  type HiddenText,
  type Judgement,
  type JudgementResult,
  type JudgeUsage,
  noUsage,
  type Screened,
} from '../../evaluators/judges';
import type { sumJudgeCost } from '../asking';
import type { Walk } from '../plan-node';
import { type AnsweredNode, criterionNode } from './judge-nodes';
import { checkNode, SCREEN } from './plan';
import { type CheckCriterion, isCheck, type TaskSubject, type TextCriterion } from './subject';

/** The measurement of one criterion. `score` is null if its node was not run, or failed. */
export interface MeasuredCriterion<Criterion> {
  readonly criterion: Criterion;
  /** Index among all criteria. */
  readonly position: number;
  readonly score: Score | null;
  /** The jury was tied on whether the criterion is met. */
  readonly tied: boolean;
}

/** The measurements of a task, in the order of its criteria. */
export interface Measured {
  readonly screened: Screened | null;
  readonly hidden: readonly HiddenText[];
  readonly checks: readonly MeasuredCriterion<CheckCriterion>[];
  readonly texts: readonly MeasuredCriterion<TextCriterion>[];
  /** Scores of checks that failed to run or were over budget: their result is unknown. */
  readonly broken: readonly Score[];
  /** By dimension. */
  readonly quality: ReadonlyMap<string, Score>;
  readonly judgements: readonly Judgement[];
  readonly failures: readonly Extract<JudgementResult, { state: 'failed' }>[];
  readonly usage: JudgeUsage;
  /** One entry per question, for the total usage. */
  readonly judgeCalls: Parameters<typeof sumJudgeCost>[0];
}

/**
 * Safe casts: the details come from this kind's plan; a node that was not run, or threw, left none.
 */
export function measuredOf(
  walk: Walk,
  subject: TaskSubject,
  dimensions: readonly string[],
): Measured {
  const screen = walk.details.get(SCREEN) as Pick<Measured, 'screened' | 'hidden'> | undefined;
  const checks: MeasuredCriterion<CheckCriterion>[] = [];
  const texts: MeasuredCriterion<TextCriterion>[] = [];
  const nodes: AnsweredNode[] = [];
  const nodeOf = (name: string): AnsweredNode | undefined => {
    const node = walk.details.get(name) as AnsweredNode | undefined;
    if (node !== undefined) nodes.push(node);
    return node;
  };
  for (const [position, criterion] of subject.success_criteria.entries()) {
    if (isCheck(criterion)) {
      const detail = walk.details.get(checkNode(checks.length)) as
        | { readonly score: Score }
        | undefined;
      checks.push({ criterion, position, score: detail?.score ?? null, tied: false });
    } else {
      const node = nodeOf(criterionNode(texts.length));
      texts.push({ criterion, position, score: node?.score ?? null, tied: node?.tied ?? false });
    }
  }
  const quality = new Map(
    dimensions.flatMap((name) => {
      const score = nodeOf(name)?.score;
      return score === undefined ? [] : [[name, score] as const];
    }),
  );
  const results = [
    ...new Set(nodes.flatMap(({ answer }) => (answer === null ? [] : [answer]))),
  ].map(({ result }) => result);
  return {
    screened: screen?.screened ?? null,
    hidden: screen?.hidden ?? [],
    checks,
    texts,
    broken: walk.scores.filter(
      ({ state, evaluator }) => state === 'failed' && /^(checks\.|judges\.screen@)/.test(evaluator),
    ),
    quality,
    judgements: results.flatMap((result) => (result.state === 'judged' ? [result.judgement] : [])),
    failures: results.flatMap((result) => (result.state === 'failed' ? [result] : [])),
    usage: results
      .map((result) => (result.state === 'judged' ? result.judgement.usage : result.usage))
      .reduce(addUsage, noUsage),
    judgeCalls: results.map((result) =>
      result.state === 'judged'
        ? {
            models: result.judgement.models,
            answered: true,
            retryAfterMs: null,
            usage: result.judgement.usage,
          }
        : {
            models: result.models,
            answered: false,
            retryAfterMs: result.retryAfterMs,
            usage: result.usage,
          },
    ),
  };
}

/**
 * The part of a walk that can be cached: each judgement under its question's key, or nothing if one
 * failed (VS-43).
 */
export function judgementsToCache(walk: Walk): Readonly<Record<string, Judgement>> | null {
  const judgements = new Map<string, Judgement>();
  for (const detail of walk.details.values()) {
    if (typeof detail !== 'object' || detail === null || !('answer' in detail)) continue;
    const { answer } = detail as AnsweredNode;
    if (answer === null || answer.result.state === 'failed') return null;
    judgements.set(answer.key, answer.result.judgement);
  }
  return judgements.size === 0 ? null : Object.fromEntries(judgements);
}
