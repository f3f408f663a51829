import { type JudgeCall, isBlank, type Issue } from '../../domain';
import type { EvaluatorContext } from '../../evaluators';
import { isTrimmed, judgeTurn } from '../../evaluators/steering';
import {
  ASKING,
  callsJudges,
  JUDGE_DEADLINE_MS,
  JUDGE_NODE_TIMEOUT_MS,
  scoreOfNoJudge,
} from '../asking';
import type { NodeResult, PlanNode, Walk } from '../plan-node';
import type { JudgedDecision, RunSetting } from '../kind';
import {
  turnJudgeCost,
  detailOf,
  EVALUATOR,
  NODE,
  resultOf,
  skippedDetail,
  TITLE,
  type TurnDetail,
} from './detail';
import type { TurnConfig, TurnSubject } from './subject';
import { ruleTurn } from './verdict';

/**
 * An answer that a caller verifies without the gateway (QV): one judge call decides on the action,
 * and the caller acts on it.
 */

export const VERIFIER = 'turn-verifier';
export const REMINDER = 'turn-reminder';

type Setting = RunSetting<TurnConfig>;

/** An empty completion is not verified (QV-16). */
const isEmpty = ({ completion }: TurnSubject): boolean => isBlank(completion);

export function planSubmitted(subject: TurnSubject, setting: Setting): readonly PlanNode[] {
  const asks = !isEmpty(subject) && callsJudges(setting);
  return [
    {
      name: NODE,
      title: TITLE,
      evaluator: EVALUATOR,
      needs: [],
      mustPass: false,
      weight: 1,
      cost: asks ? ASKING : 0,
      timeoutMs: JUDGE_NODE_TIMEOUT_MS,
      run: (_details, ctx) =>
        asks ? callJudge(subject, setting, ctx) : resultWithoutJudge(subject, setting),
    },
  ];
}

function resultWithoutJudge(subject: TurnSubject, setting: Setting): NodeResult {
  const score = scoreOfNoJudge(setting, EVALUATOR, TITLE);
  if (!isEmpty(subject)) return { score, detail: null };
  return {
    score: {
      ...score,
      state: 'unscored',
      value: null,
      met: null,
      reasoning: 'the completion has no text',
    },
    detail: null,
  };
}

async function callJudge(
  { messages, completion }: TurnSubject,
  { prompts, judges, config }: Setting,
  ctx: EvaluatorContext,
): Promise<NodeResult> {
  const verifier = prompts.get(VERIFIER);
  const reminder = prompts.get(REMINDER);
  const [model] = judges;
  if (
    verifier === undefined ||
    reminder === undefined ||
    model === undefined ||
    ctx.ask === undefined
  ) {
    throw new Error('no model may be asked here');
  }
  const judgeOptions = {
    model,
    deadlineMs: JUDGE_DEADLINE_MS,
    firstTokenMs: JUDGE_DEADLINE_MS,
    signal: ctx.signal,
    purpose: 'turn verifier',
  };
  return resultOf(
    await judgeTurn(
      { prompts: { verifier, reminder }, messages, completion, maxHistory: config.max_history },
      judgeOptions,
      ctx.ask,
    ),
  );
}

export function decideSubmitted(
  walk: Walk,
  subject: TurnSubject,
  { notJudged, judges, whyNone, config }: Setting,
): JudgedDecision<TurnDetail> {
  const found = (walk.details.get(NODE) ?? null) as JudgeCall | null;
  const skipped = isEmpty(subject) ? 'the completion has no text' : null;
  const unable =
    notJudged?.reason ??
    (judges.length === 0
      ? `no judge can be asked: ${whyNone ?? 'no provider is configured'}`
      : null);
  const problem =
    found?.problem ?? unable ?? walk.scores[0]?.reasoning ?? 'the verifier gave no result';
  const detail: TurnDetail =
    found !== null
      ? detailOf(found, null)
      : skipped !== null
        ? skippedDetail
        : { ...skippedDetail, decision: 'verifier_failed', problem };
  const ruled = ruleTurn(detail, detail.decision === 'steer' ? 'retry' : 'none');
  const trimmed =
    found !== null && isTrimmed({ messages: subject.messages, maxHistory: config.max_history })
      ? [trimmedIssue(config)]
      : [];
  return {
    ...ruled,
    issues: [...ruled.issues, ...trimmed],
    detail,
    judgeCost: turnJudgeCost(found === null ? [] : [found]),
    toCache: null,
    skipped,
  };
}

/**
 * The judge saw the whole answer, but the setting shortened the history (QV-23), which is recorded
 * (S-125).
 */
function trimmedIssue({ max_history: max }: TurnConfig): Issue {
  const message = `The verifier was shown the last ${max} messages of the conversation, as max_history says`;
  return { code: 'shortened', message, severity: 'low', path: 'messages' };
}

/** Assumes four characters per token; an unreadable reply is requested once more. */
export function estimateTurn(
  { messages, completion }: TurnSubject,
  { config, prompts }: Setting,
): { readonly inputTokens: number; readonly outputTokens: number } {
  const shown = config.max_history === 0 ? messages : messages.slice(-config.max_history);
  const promptChars = [...prompts.values()].reduce((sum, { text }) => sum + text.length, 1_500);
  const chars = shown.reduce(
    (sum, { content }) => sum + content.length,
    promptChars + completion.length,
  );
  return { inputTokens: Math.ceil(chars / 4), outputTokens: 200 };
}
