import { jsonAsText, meetsThreshold, type Score } from '../../domain';
import { type EvaluatorContext, measuredBy } from '../../evaluators';
import {
  findHiddenText,
  type HiddenText,
  describeHidden,
  type CustomPart,
  type Screened,
  screenOutput,
} from '../../evaluators/judges';
import { ASKING, callsJudges, JUDGE_NODE_TIMEOUT_MS, scoreOfNoJudge, thresholdOf } from '../asking';
import type { CustomSubject } from '../custom';
import type { NodeResult, PlanNode } from '../plan-node';
import { usedPlaceholders } from './definition';
import {
  answerOnce,
  dataOf,
  type JudgeAnswer,
  type JudgeSetting,
  promptOf,
  unfilledPlaceholder,
} from './question';

export const SCREEN = 'screen';
const SCREEN_TITLE = 'There is something to judge';
const SCREENED_BY = 'judges.screen@1';
const SCREEN_TIMEOUT_MS = 10_000;
const JUDGED_BY = 'judges.own@1';

export const partNode = (index: number): string => `answer ${index + 1}`;

export interface ScreenDetail {
  /** Null if a judge is called. */
  readonly screened: Screened | null;
  readonly hidden: readonly HiddenText[];
}

/** The detail of a node that called the judges: nodes share one answer. */
export interface PartDetail {
  /** Null if no judge was called. */
  readonly answer: JudgeAnswer | null;
  readonly score: Score;
}

/** A free check for an output without content, then one node for each criterion. */
export function planJudge(subject: CustomSubject, setting: JudgeSetting): readonly PlanNode[] {
  const { criteria } = setting.config.judge;
  const parts =
    criteria.length === 0 ? [{ name: setting.config.name, weight: 1, must_pass: false }] : criteria;
  const answer = answerOnce(subject, setting);
  return [
    {
      name: SCREEN,
      title: SCREEN_TITLE,
      evaluator: SCREENED_BY,
      needs: [],
      mustPass: true,
      weight: 0,
      cost: 0,
      timeoutMs: SCREEN_TIMEOUT_MS,
      run: () => screen(subject, setting),
    },
    ...parts.map(
      ({ name, weight, must_pass: mustPass }, index): PlanNode => ({
        name: partNode(index),
        title: name,
        evaluator: JUDGED_BY,
        needs: [],
        mustPass,
        weight,
        cost: callsJudges(setting) ? ASKING : 0,
        timeoutMs: JUDGE_NODE_TIMEOUT_MS,
        run: (_details, ctx) => judgePart({ index, of: parts.length, title: name }, ctx),
      }),
    ),
  ];

  function judgePart(part: Part, ctx: EvaluatorContext): NodeResult | Promise<NodeResult> {
    if (!callsJudges(setting)) {
      const score = scoreOfNoJudge(setting, JUDGED_BY, part.title);
      return { score, detail: { answer: null, score } satisfies PartDetail };
    }
    const missing = unfilledPlaceholder(subject, promptOf(setting));
    return missing === null
      ? answer(ctx).then((found) => readPart(part, found, setting))
      : unfilled(part, missing, setting);
  }
}

interface Part {
  readonly index: number;
  /** Number of parts, which share the cost. */
  readonly of: number;
  readonly title: string;
}

/** Members that show work other than the output. */
const otherWork: ReadonlySet<string> = new Set(['tools', 'steps', 'turns', 'files', 'subject']);

/**
 * An output without content fails without a judge (VS-14, S-26), if the prompt shows no other work.
 * Hidden text is only reported.
 */
function screen(subject: CustomSubject, setting: JudgeSetting): NodeResult {
  const prompt = promptOf(setting);
  const used = usedPlaceholders(prompt.text);
  const data = dataOf(subject, prompt);
  const isAboutOutput = used.includes('output') && !used.some((name) => otherWork.has(name));
  const screened = isAboutOutput ? screenOutput(jsonAsText(data.get('output'))) : null;
  const hidden = screened === null ? hiddenIn(data) : [];
  const score: Score = {
    ...measuredBy(SCREENED_BY, SCREEN_TITLE),
    state: 'scored',
    value: screened === null ? 1 : 0,
    met: screened === null,
    reasoning:
      screened?.message ??
      (hidden.length === 0
        ? 'the subject can be judged'
        : `the subject has ${describeHidden(hidden)}`),
  };
  return { score, detail: { screened, hidden } satisfies ScreenDetail };
}

/** Hidden text in everything that the judge is shown, summed by kind. */
function hiddenIn(data: ReadonlyMap<string, unknown>): readonly HiddenText[] {
  const counts = new Map<HiddenText['kind'], number>();
  for (const value of data.values())
    for (const { kind, count } of findHiddenText(jsonAsText(value)))
      counts.set(kind, (counts.get(kind) ?? 0) + count);
  return [...counts].map(([kind, count]) => ({ kind, count }));
}

function readPart(part: Part, answer: JudgeAnswer, setting: JudgeSetting): NodeResult {
  const { result, cached } = answer;
  const usage = result.state === 'judged' ? result.judgement.usage : result.usage;
  const models =
    result.state === 'judged'
      ? [...new Set(result.judgement.votes.map(({ model }) => model))]
      : result.models;
  const base = {
    ...measuredBy(JUDGED_BY, part.title),
    model: models.length === 0 ? null : models.join(' + '),
    prompt_version: promptOf(setting).version,
    cost_usd: usage.costUsd / part.of,
    cached,
  };
  const found =
    result.state === 'judged'
      ? result.judgement.parts.find(({ index }) => index === part.index)
      : undefined;
  const failure =
    result.state === 'failed'
      ? `${result.errorClass}: ${result.reason}`
      : 'the judgement has no answer to this criterion';
  const score: Score =
    found === undefined
      ? { ...base, state: 'failed', value: null, met: null, reasoning: shortReason(failure) }
      : scoreOf(base, found, setting);
  return { score, detail: { answer, score } satisfies PartDetail };
}

type Base = Omit<Extract<Score, { state: 'unscored' }>, 'state' | 'value' | 'met'>;

function scoreOf(base: Base, part: CustomPart, setting: JudgeSetting): Score {
  const measured = { ...base, reasoning: part.reasoning.toWellFormed(), evidence: part.evidence };
  return part.value === null
    ? { ...measured, state: 'unscored', value: null, met: null }
    : { ...measured, state: 'scored', value: part.value, met: isMet(part.value, setting) };
}

/** Whether a value passes under the current threshold. */
export const isMet = (value: number, setting: JudgeSetting): boolean =>
  meetsThreshold(value, thresholdOf(setting, 'pass_threshold', 0.5));

/** A placeholder that nothing fills would leave the judge to guess. */
function unfilled(part: Part, name: string, setting: JudgeSetting): NodeResult {
  const score: Score = {
    ...measuredBy(JUDGED_BY, part.title),
    state: 'failed',
    value: null,
    met: null,
    prompt_version: promptOf(setting).version,
    reasoning: `the prompt has {{${name}}}, which is neither a variable of the mapping nor a member of the subject: add it to the mapping`,
  };
  return { score, detail: { answer: null, score } satisfies PartDetail };
}

const shortReason = (text: string): string => text.slice(0, 1_000).toWellFormed();
