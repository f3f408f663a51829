import type { Score } from '../../domain';
import { type EvaluatorContext, measuredBy } from '../../evaluators';
import { proofOf, staticPoints, scoreTotal, whyNoBonus } from '../../code';
import {
  judgeCriteria,
  type JudgementResult,
  readingCost,
  TASK_CHARS_MAX,
} from '../../evaluators/judges';
import {
  ASKING,
  callsJudges,
  JUDGE_DEADLINE_MS,
  JUDGE_NODE_TIMEOUT_MS,
  judgeChainsOf,
} from '../asking';
import type { Details, NodeResult, PlanNode } from '../plan-node';
import type { RunSetting } from '../kind';
import type { CodeConfig } from './config';
import { tierOf } from './contract';
import {
  PROOF,
  type ProofDetail,
  READ,
  type ReadDetail,
  SEMANTIC,
  type SemanticDetail,
} from './nodes';
import type { CodeSubject } from './subject';

export const SEMANTIC_PROMPT = 'code-semantic';
const EVALUATOR = 'judges.semantic@1';
const TITLE = 'The code does what was asked for';
const CRITERIA = [
  'The code does what the request asks for',
  'The code would work as it stands, at its edges as well',
];

/** Whether a judge may be called at all, before anything is measured (QEL-49). */
function mayAsk(subject: CodeSubject, setting: RunSetting<CodeConfig>): boolean {
  const { tier } = tierOf(subject);
  const inBand = {
    enabled: setting.project.semanticJudge,
    tier,
    beforeBonus: 70,
    compileFailed: false,
    violation: false,
  };
  return callsJudges(setting) && whyNoBonus(inBand) === null;
}

/**
 * The node that calls a judge for bonus points. Without a judge there is no node, so that the work
 * is not queued with slow work.
 */
export function semanticNodes(
  subject: CodeSubject,
  setting: RunSetting<CodeConfig>,
  needs: readonly string[],
): readonly PlanNode[] {
  if (!mayAsk(subject, setting)) return [];
  return [
    {
      name: SEMANTIC,
      title: TITLE,
      evaluator: EVALUATOR,
      needs,
      mustPass: false,
      weight: 0,
      cost: ASKING,
      timeoutMs: JUDGE_NODE_TIMEOUT_MS,
      run: (details, ctx) => judge(subject, setting, details, ctx),
    },
  ];
}

async function judge(
  subject: CodeSubject,
  setting: RunSetting<CodeConfig>,
  details: Details,
  ctx: EvaluatorContext,
): Promise<NodeResult> {
  const why = whyNotNow(subject, setting, details);
  const base = measuredBy(EVALUATOR, TITLE);
  if (why !== null) {
    const detail: SemanticDetail = { why, value: null, result: null };
    return {
      score: { ...base, state: 'unscored', value: null, met: null, reasoning: `not asked: ${why}` },
      detail,
    };
  }
  const prompt = setting.prompts.get(SEMANTIC_PROMPT);
  if (prompt === undefined) throw new Error(`there is no prompt "${SEMANTIC_PROMPT}"`);
  const result = await judgeCriteria(
    {
      mode: 'rubric',
      prompt,
      task: subject.request,
      criteria: CRITERIA.map((text) => ({ text, mustPass: false })),
      dimensions: [],
      output: subject.files.map(({ path, content }) => `=== ${path}\n${content}`).join('\n\n'),
      context: '',
      outputChars: setting.config.shown_chars,
      purpose: 'code semantic',
    },
    { judgeChains: judgeChainsOf(setting), deadlineMs: JUDGE_DEADLINE_MS, metThreshold: 0.7 },
    ctx,
  );
  return resultOf(result, { ...base, prompt_version: prompt.version });
}

function resultOf(result: JudgementResult, base: ReturnType<typeof measuredBy>): NodeResult {
  const usage = result.state === 'judged' ? result.judgement.usage : result.usage;
  const models = result.state === 'judged' ? result.judgement.models : result.models;
  const scoreBase = {
    ...base,
    model: models.length === 0 ? null : models.join(' + '),
    cost_usd: usage.costUsd,
  };
  if (result.state === 'failed') {
    const reasoning = `${result.errorClass}: ${result.reason}`.slice(0, 1_000).toWellFormed();
    const score: Score = { ...scoreBase, state: 'failed', value: null, met: null, reasoning };
    const detail: SemanticDetail = { why: reasoning, value: null, result };
    return { score, detail };
  }
  const { criteria, leftOut } = result.judgement;
  if (leftOut > 0) {
    // A bonus needs a judge that saw everything; otherwise only the measured points count (S-125).
    const why = `the judge was not shown ${leftOut} characters, which earns no bonus`;
    const detail: SemanticDetail = { why, value: null, result };
    return {
      score: { ...scoreBase, state: 'unscored', value: null, met: null, reasoning: why },
      detail,
    };
  }
  // The lowest score counts: code that does not work earns nothing for the right intention.
  const value = criteria.length === 0 ? 0 : Math.min(...criteria.map((each) => each.value));
  const reasoning = criteria
    .map((each) => each.reasoning)
    .join(' ')
    .slice(0, 2_000)
    .toWellFormed();
  const evidence = criteria.flatMap((each) => each.evidence);
  const detail: SemanticDetail = { why: null, value, result };
  return {
    score: { ...scoreBase, state: 'scored', value, met: value >= 0.7, reasoning, evidence },
    detail,
  };
}

/** The reason why the judge is not called, based on the points reached without it (QEL-49). */
function whyNotNow(
  subject: CodeSubject,
  { project }: RunSetting<CodeConfig>,
  details: Details,
): string | null {
  const { measured } = details.get(READ) as ReadDetail;
  const gates = (details.get(PROOF) as ProofDetail | undefined)?.gates ?? [];
  const proof = proofOf(gates);
  const { beforeBonus } = scoreTotal(
    { ...staticPoints(measured), proof: proof.points },
    proof,
    project.neutralProof,
    0,
  );
  const { tier } = tierOf(subject);
  return whyNoBonus({
    enabled: project.semanticJudge,
    tier,
    beforeBonus,
    compileFailed: proof.compileFailed,
    violation: measured.framework.violation,
  });
}

/** About four characters per token. */
export function estimateCode(
  subject: CodeSubject,
  setting: RunSetting<CodeConfig>,
): { readonly inputTokens: number; readonly outputTokens: number } {
  if (!mayAsk(subject, setting)) return { inputTokens: 0, outputTokens: 0 };
  const { calls, chars } = readingCost(
    subject.files.reduce((sum, { content }) => sum + content.length, 0),
    setting.config.shown_chars,
  );
  const request = Math.min(TASK_CHARS_MAX, subject.request.length);
  return {
    inputTokens: calls * 1_000 + Math.ceil((chars + calls * request) / 4),
    outputTokens: calls * 500,
  };
}
