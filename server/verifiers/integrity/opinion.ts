import type { Evidence, IntegrityDetail, Issue, Score, SecondOpinion } from '../../domain';
import { type EvaluatorContext, measuredBy } from '../../evaluators';
import {
  JUDGED_CLAIMS_MAX,
  type ClaimsFinding,
  type Judged,
  judgeClaims,
} from '../../evaluators/judges';
import {
  sumJudgeCost,
  ASKING,
  firstJudgeChainOf,
  JUDGE_DEADLINE_MS,
  JUDGE_NODE_TIMEOUT_MS,
} from '../asking';
import type { JudgeCost, RunSetting } from '../kind';
import type { NodeResult, PlanNode, VerdictDecision, Walk } from '../plan-node';
import type { IntegrityConfig } from './config';
import { type IntegritySubject, sourcesOf } from './subject';
import { type Undecided, undecidedStatements } from './undecided';

/** A judge evaluates the statements that the figure check leaves undecided. */

/** The evaluator name in scores of a second opinion. */
export const opinionEvaluator = 'judges.opinion@1';

/** The slug of its prompt. */
export const OPINION_PROMPT = 'integrity-opinion';

type Setting = RunSetting<IntegrityConfig>;

const NODE = 'second_opinion';
const TITLE = 'Statements without figures rest on sources';
/** Code points per judge call; longer texts are judged in windows. */
const SHOWN_CHARS = 60_000;
const TEXT_MAX = 500;
const ISSUES_MAX = 20;
const NAMED_MAX = 5;

/** The node's detail. */
interface OpinionDetail {
  readonly opinion: Omit<SecondOpinion, 'decides'>;
  /** Null if no judge was called. */
  readonly judged: Judged<ClaimsFinding> | null;
}

/** One call to one judge; none if no statement is undecided. */
export function opinionNode(subject: IntegritySubject, setting: Setting): PlanNode {
  const undecided = undecidedStatements(subject);
  const count = undecided.statements.length;
  const asks = count > 0 && count <= JUDGED_CLAIMS_MAX && setting.judges.length > 0;
  return {
    name: NODE,
    title: TITLE,
    evaluator: opinionEvaluator,
    needs: ['citations'],
    mustPass: false,
    weight: 0,
    cost: asks ? ASKING : 0,
    timeoutMs: JUDGE_NODE_TIMEOUT_MS,
    run: (_details, ctx) =>
      asks ? ask(undecided, subject, setting, ctx) : resultWithoutJudge(count, setting),
  };
}

function resultWithoutJudge(count: number, { whyNone }: Setting): NodeResult {
  const base = { ...measuredBy(opinionEvaluator, TITLE), value: null, met: null };
  const result = (
    state: 'unscored' | 'failed',
    opinion: OpinionDetail['opinion']['state'],
    reasoning: string,
  ): NodeResult => {
    const detail: OpinionDetail = {
      opinion: { state: opinion, judge: null, statements: [] },
      judged: null,
    };
    return { score: { ...base, state, reasoning }, detail };
  };
  if (count === 0)
    return result('unscored', 'nothing_left', 'no judge was asked: figures decide every statement');
  if (count > JUDGED_CLAIMS_MAX) {
    return result(
      'unscored',
      'not_asked',
      `no judge was asked: ${count} statements are left, and a judge is asked about at most ${JUDGED_CLAIMS_MAX}`,
    );
  }
  return result(
    'failed',
    'failed',
    `no judge can be asked: ${whyNone ?? 'no provider is configured'}`,
  );
}

async function ask(
  { answer, statements }: Undecided,
  subject: IntegritySubject,
  setting: Setting,
  ctx: EvaluatorContext,
): Promise<NodeResult> {
  const prompt = setting.prompts.get(OPINION_PROMPT);
  if (prompt === undefined) throw new Error(`there is no prompt "${OPINION_PROMPT}"`);
  const sources = sourcesOf(subject, setting.config.allow_user_figures);
  const judged = await judgeClaims(
    {
      prompt,
      query: subject.userText.at(-1) ?? '',
      answer,
      outputs: sources.map(({ id, label, text }) => ({
        id,
        agent: label,
        summary: text,
        data: '',
      })),
      claims: statements.map(({ text }) => text),
      hasContent: (passage) => /[\p{L}\p{N}]/u.test(passage),
      answerChars: SHOWN_CHARS,
      outputChars: SHOWN_CHARS,
      purpose: 'integrity second opinion',
    },
    { models: firstJudgeChainOf(setting), deadlineMs: JUDGE_DEADLINE_MS },
    ctx,
  );
  const base = {
    ...measuredBy(opinionEvaluator, TITLE),
    model: judged.model,
    prompt_version: prompt.version,
    cost_usd: judged.usage.costUsd,
  };
  if (judged.state === 'failed') {
    const reasoning = `${judged.errorClass}: ${judged.reason}`.slice(0, 1_000).toWellFormed();
    const detail: OpinionDetail = {
      opinion: { state: 'failed', judge: judged.model, statements: [] },
      judged,
    };
    return { score: { ...base, state: 'failed', value: null, met: null, reasoning }, detail };
  }
  const found = new Map(judged.reply.claims.map((claim) => [claim.index, claim]));
  const decided = statements.map(({ text, start, end }, i) => ({
    text: text.slice(0, TEXT_MAX).toWellFormed(),
    start,
    end,
    supported: (found.get(i)?.outputs.length ?? 0) > 0,
    sources: [...(found.get(i)?.outputs ?? [])],
    reasoning: found.get(i)?.reasoning ?? '',
  }));
  const supported = decided.filter((statement) => statement.supported).length;
  const score: Score = {
    ...base,
    state: 'scored',
    value: supported / decided.length,
    met: supported === decided.length,
    reasoning: reasoningOf(decided),
    evidence: judged.reply.claims.flatMap(({ evidence }): Evidence[] => evidence).slice(0, 100),
  };
  const detail: OpinionDetail = {
    opinion: { state: 'judged', judge: judged.model, statements: decided },
    judged,
  };
  return { score, detail };
}

/** Lists the first statements that no source supports. */
function reasoningOf(statements: SecondOpinion['statements']): string {
  const wrong = statements.filter(({ supported }) => !supported);
  const named = wrong
    .slice(0, NAMED_MAX)
    .map(({ text }) => `“${text.slice(0, 200).toWellFormed()}”`);
  const list =
    wrong.length === 0
      ? ''
      : `; not supported: ${named.join(', ')}${wrong.length > NAMED_MAX ? ', …' : ''}`;
  return `${statements.length - wrong.length} of ${statements.length} statements that figures do not decide rest on a source${list}`;
}

const detailOf = (walk: Walk): OpinionDetail | undefined =>
  walk.details.get(NODE) as OpinionDetail | undefined;

/** The usage of judge calls; zero if no judge was called. */
export function costOfOpinion(walk: Walk): JudgeCost {
  const judged = detailOf(walk)?.judged ?? null;
  if (judged === null) return sumJudgeCost([]);
  return sumJudgeCost([
    {
      models: judged.model === null ? [] : [judged.model],
      answered: judged.state === 'judged',
      retryAfterMs: judged.state === 'failed' ? judged.retryAfterMs : null,
      usage: judged.usage,
    },
  ]);
}

/**
 * Adds the judge's opinion to the decision. If the setting lets the judge decide, an unsupported
 * statement makes the answer unsourced, and a failed judge makes a sourced answer inconclusive: a
 * broken judge never lets an answer pass. Otherwise the opinion is reported without effect. Pure.
 */
export function withOpinion(
  decided: VerdictDecision<IntegrityDetail>,
  walk: Walk,
  { second_opinion: mode }: Pick<IntegrityConfig, 'second_opinion'>,
): VerdictDecision<IntegrityDetail> {
  if (decided.verdict === null) return decided;
  const decides = mode === 'decides';
  const opinion = {
    decides,
    ...(detailOf(walk)?.opinion ?? { state: 'failed' as const, judge: null, statements: [] }),
  };
  const detail: IntegrityDetail = { ...decided.detail, second_opinion: opinion };
  if (!decides || opinion.state === 'nothing_left') return { ...decided, detail };
  if (opinion.state !== 'judged') {
    if (decided.verdict === 'unsourced') return { ...decided, detail };
    return {
      ...decided,
      detail,
      verdict: null,
      action: 'none',
      score: null,
      needsHumanReview: true,
      feedback: null,
    };
  }
  const wrong = opinion.statements.filter(({ supported }) => !supported);
  if (wrong.length === 0) return { ...decided, detail };
  const lines = wrong.slice(0, ISSUES_MAX).map(({ text }) => `- ${text}`);
  const feedback = [decided.feedback, `No source supports these statements:\n${lines.join('\n')}`]
    .filter((part) => part !== null)
    .join('\n\n');
  return {
    ...decided,
    detail,
    verdict: 'unsourced',
    action: decided.detail.reprompt_used ? 'accept_with_warning' : 'retry',
    issues: [...decided.issues, ...wrong.slice(0, ISSUES_MAX).map(issueOf)],
    feedback,
  };
}

function issueOf({ text, start, end }: SecondOpinion['statements'][number]): Issue {
  return {
    code: 'unsupported_statement',
    message: `No source supports: ${text}`.slice(0, 500).toWellFormed(),
    severity: 'medium',
    path: `output:${start}-${end}`,
  };
}

/**
 * Assumes four characters per token for the answer, its sources, and a reply about each statement.
 */
export function estimateOpinion(
  { output, sources }: IntegritySubject,
  { prompts }: Setting,
): { readonly inputTokens: number; readonly outputTokens: number } {
  const chars =
    (prompts.get(OPINION_PROMPT)?.text.length ?? 0) +
    Math.min(output.length, SHOWN_CHARS) +
    sources.reduce((sum, { text }) => sum + Math.min(text.length, SHOWN_CHARS), 0);
  return { inputTokens: Math.ceil(chars / 4), outputTokens: 1_000 };
}
