import { meetsThreshold, type Score } from '../../domain';
import { type EvaluatorContext, measuredBy } from '../../evaluators';
import type { Judgement } from '../../evaluators/judges';
import { ASKING, callsJudges, JUDGE_NODE_TIMEOUT_MS, scoreOfNoJudge, thresholdOf } from '../asking';
import type { NodeResult, PlanNode } from '../plan-node';
import type { RunSetting } from '../kind';
import type { TaskConfig } from './config';
import {
  type Answer,
  answerOnce,
  dimensionsOf,
  questionsOf,
  type TaskQuestion,
  textsOf,
} from './questions';
import type { TaskSubject, TextCriterion } from './subject';

/**
 * The detail of a criterion's or quality's node, for the verdict rule: its score, and the whole
 * answer, which several nodes share.
 */
export interface AnsweredNode {
  readonly score: Score;
  /** Null if no judge was called. */
  readonly answer: Answer | null;
  /** The jury was tied on whether the criterion is met. */
  readonly tied: boolean;
}

export const criterionNode = (index: number): string => `criterion ${index + 1}`;

export function judgeNodes(
  subject: TaskSubject,
  setting: RunSetting<TaskConfig>,
): readonly PlanNode[] {
  const texts = textsOf(subject);
  if (texts.length === 0) return [];
  const questions = questionsOf(subject, setting);
  const separately = setting.config.judging === 'per_criterion';
  const nodes: PlanNode[] = [];
  const node = createJudgeNode(subject, setting);
  for (const [i, criterion] of texts.entries()) {
    const question = questions.find(({ criteria }) => criteria.includes(i));
    if (question === undefined) throw new Error(`no question asks criterion ${i + 1}`);
    // With one call per criterion, required criteria run first: when one fails, the optional ones
    // are not judged.
    const cost = ASKING + (separately && !criterion.must_pass ? 1 : 0);
    const score = {
      title: criterion.text,
      read: (judgement: Judgement) =>
        readCriterion(judgement, question.criteria.indexOf(i), criterion, subject, setting),
    };
    nodes.push(
      node(
        criterionNode(i),
        question,
        cost,
        { needs: [], mustPass: criterion.must_pass, weight: criterion.weight },
        score,
      ),
    );
  }
  const about = questions.at(-1);
  if (about === undefined) return nodes;
  for (const [i, { name }] of dimensionsOf(subject, setting.config).entries()) {
    // Completeness, then accuracy, then the rest (VS-15).
    const needs = i === 0 ? [] : [i === 1 ? 'completeness' : 'accuracy'];
    const score = {
      title: name,
      read: (judgement: Judgement) => readQuality(judgement, name, setting),
    };
    nodes.push(
      node(
        name,
        about,
        ASKING + (separately ? 10 + i : 0),
        { needs, mustPass: false, weight: 0 },
        score,
      ),
    );
  }
  return nodes;
}

/** Creates nodes that share the answers to their questions. */
function createJudgeNode(subject: TaskSubject, setting: RunSetting<TaskConfig>) {
  const answer = answerOnce(setting);
  const usesJudge = callsJudges(setting);
  const evaluator = `judges.${subject.scoring_mode}@1`;
  return (
    name: string,
    question: TaskQuestion,
    cost: number,
    more: Pick<PlanNode, 'needs' | 'mustPass' | 'weight'>,
    score: ScoreOf,
  ): PlanNode => ({
    ...more,
    name,
    title: score.title,
    evaluator,
    cost: usesJudge ? cost : 0,
    timeoutMs: JUDGE_NODE_TIMEOUT_MS,
    run: (_details, ctx) =>
      usesJudge
        ? ask(question, answer, ctx, evaluator, score)
        : resultWithoutJudge(setting, evaluator, score.title),
  });
}

interface Reading {
  readonly measured: Pick<
    Extract<Score, { state: 'scored' }>,
    'value' | 'met' | 'reasoning' | 'evidence'
  >;
  readonly tied: boolean;
}

interface ScoreOf {
  readonly title: string;
  read(judgement: Judgement): Reading | null;
}

async function ask(
  question: TaskQuestion,
  answerOf: ReturnType<typeof answerOnce>,
  ctx: EvaluatorContext,
  evaluator: string,
  wanted: ScoreOf,
): Promise<NodeResult> {
  const answer = await answerOf(question, ctx);
  const { result, cached } = answer;
  const scores = question.question.criteria.length + question.question.dimensions.length;
  const usage = result.state === 'judged' ? result.judgement.usage : result.usage;
  const models = result.state === 'judged' ? result.judgement.models : result.models;
  const base = {
    ...measuredBy(evaluator, wanted.title),
    model: models.length === 0 ? null : models.join(' + '),
    prompt_version: question.question.prompt.version,
    cost_usd: usage.costUsd / Math.max(1, scores),
    cached,
  };
  const reading = result.state === 'judged' ? wanted.read(result.judgement) : null;
  const reasoning =
    result.state === 'failed'
      ? `${result.errorClass}: ${result.reason}`
      : 'the judgement does not contain this score';
  const score: Score =
    reading === null
      ? {
          ...base,
          state: 'failed',
          value: null,
          met: null,
          reasoning: reasoning.slice(0, 1_000).toWellFormed(),
        }
      : { ...base, state: 'scored', ...reading.measured };
  const detail: AnsweredNode = { score, answer, tied: reading?.tied ?? false };
  return { score, detail };
}

function resultWithoutJudge(
  setting: RunSetting<TaskConfig>,
  evaluator: string,
  title: string,
): NodeResult {
  const score = scoreOfNoJudge(setting, evaluator, title);
  const detail: AnsweredNode = { score, answer: null, tied: false };
  return { score, detail };
}

function readCriterion(
  { criteria }: Judgement,
  index: number,
  criterion: TextCriterion,
  subject: TaskSubject,
  setting: RunSetting<TaskConfig>,
): Reading | null {
  const found = criteria.find((each) => each.index === index);
  if (found === undefined) return null;
  const own = subject.scoring_mode === 'rubric' ? likertThreshold(criterion.text) : null;
  const threshold = own ?? thresholdOf(setting, 'criterion_met_threshold', 0.7);
  const tied = found.vote === 'tie';
  const met = !tied && meetsThreshold(found.value, threshold);
  return {
    measured: {
      value: found.value,
      met,
      reasoning: found.reasoning.toWellFormed(),
      evidence: found.evidence,
    },
    tied,
  };
}

function readQuality(
  { quality }: Judgement,
  name: string,
  setting: RunSetting<TaskConfig>,
): Reading | null {
  const found = quality.find(({ dimension }) => dimension === name);
  if (found === undefined) return null;
  const met = meetsThreshold(found.value, thresholdOf(setting, 'criterion_met_threshold', 0.7));
  return {
    measured: { value: found.value, met, reasoning: found.reasoning.toWellFormed(), evidence: [] },
    tied: false,
  };
}

/**
 * Converts the mark in a criterion such as `Writing quality ≥ 3.5/5` from 1..5 to 0..1: 3.5 becomes
 * 0.625 (VS-7). Null if the criterion states no mark.
 */
export function likertThreshold(text: string): number | null {
  const stated =
    /(?:≥|>=|at least|no less than|minimum(?: of)?)\s{0,3}([1-5](?:[.,]\d{1,3})?)\s{0,3}(?:\/|out of)\s{0,3}5(?![\d.])/iu.exec(
      text,
    )?.[1];
  if (stated === undefined) return null;
  const likert = Number(stated.replace(',', '.'));
  return likert > 5 ? null : (likert - 1) / 4;
}
