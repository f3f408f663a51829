import { createHash } from 'node:crypto';
import { dataText } from '../../evaluators/claims';
import type { EvaluatorContext } from '../../evaluators';
import {
  JUDGED_CLAIMS_MAX,
  ClaimsFinding,
  type Judged,
  judgeClaims,
  noUsage,
  readingCost,
  WINDOWING,
} from '../../evaluators/judges';
import { firstJudgeChainOf, callsJudges, JUDGE_DEADLINE_MS } from '../asking';
import type { RunSetting } from '../kind';
import type { SynthesisConfig, SynthesisSubject } from './subject';
import { type FoundClaim, sayingMore } from './trace-claims';

type Setting = RunSetting<SynthesisConfig>;

export const PROMPT = 'synthesis-claims';

/**
 * Whether a judge is needed: not if the caller judged, and not without outputs to compare with
 * (SOAR-25).
 */
export const needsJudge = ({ agent_outputs, claims }: SynthesisSubject): boolean =>
  claims === null && agent_outputs.length > 0;

export const needsJudgeCall = (subject: SynthesisSubject, setting: Setting): boolean =>
  needsJudge(subject) && callsJudges(setting);

/** The answer to one question; `cached` if it answered an equal question before. */
export interface Answered {
  readonly judged: Judged<ClaimsFinding>;
  /** Indexes of the claims in the question, in its order. */
  readonly openIndexes: readonly number[];
  readonly cached: boolean;
}

/** Indexes of the claims that a judge has to decide. */
function leftOf(claims: readonly FoundClaim[]): readonly number[] {
  return claims
    .flatMap(({ claim }, i) => (claim.state === 'undecided' ? [i] : []))
    .slice(0, JUDGED_CLAIMS_MAX);
}

/** Calls the judge once for all nodes of a walk that need the answer. */
export function answerOnce(
  subject: SynthesisSubject,
  setting: Setting,
): (claims: readonly FoundClaim[], ctx: EvaluatorContext) => Promise<Answered> {
  let answer: Promise<Answered> | null = null;
  return (claims, ctx) => (answer ??= ask(subject, setting, claims, ctx));
}

async function ask(
  { query, answer, agent_outputs: outputs }: SynthesisSubject,
  setting: Setting,
  claims: readonly FoundClaim[],
  ctx: EvaluatorContext,
): Promise<Answered> {
  const prompt = setting.prompts.get(PROMPT);
  if (prompt === undefined) throw new Error(`there is no prompt "${PROMPT}"`);
  const openIndexes = leftOf(claims);
  const cached = ClaimsFinding.safeParse(setting.cached);
  if (cached.success && cached.data.claims.length === openIndexes.length) {
    return {
      judged: { state: 'judged', model: cached.data.model, reply: cached.data, usage: noUsage },
      openIndexes,
      cached: true,
    };
  }
  const judged = await judgeClaims(
    {
      prompt,
      query,
      answer,
      outputs: outputs.map(({ id, agent, summary, data }) => ({
        id,
        agent: agent ?? '',
        summary,
        data: dataText(data),
      })),
      claims: openIndexes.map((i) => claims[i]?.claim.text ?? ''),
      hasContent: sayingMore(outputs),
      answerChars: setting.config.answer_chars,
      outputChars: setting.config.output_chars,
      purpose: 'synthesis claims',
    },
    { models: firstJudgeChainOf(setting), deadlineMs: JUDGE_DEADLINE_MS },
    ctx,
  );
  return { judged, openIndexes, cached: false };
}

/**
 * A hash of the judge's whole input and of every setting that affects the decision. Null if no
 * judge is called, and for a retry, which is judged again (SOAR-12).
 */
export function cacheKeyOf(subject: SynthesisSubject, setting: Setting): string | null {
  if (!needsJudgeCall(subject, setting) || setting.retries.used > 0) return null;
  const parts = [
    'synthesis 2',
    WINDOWING,
    [subject.query, subject.answer, subject.agent_outputs],
    setting.prompts.get(PROMPT)?.version,
    [setting.judges, setting.fallbackJudges],
    [...setting.thresholds]
      .map(([key, { value }]) => [key, value])
      .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    setting.config,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Assumes four characters per token, and claims of 150 characters that take the judge 80 tokens
 * each. The number of open claims is not known yet, so all are counted.
 */
export function estimateOf(
  subject: SynthesisSubject,
  { config }: Setting,
): { readonly inputTokens: number; readonly outputTokens: number } {
  if (!needsJudge(subject)) return { inputTokens: 0, outputTokens: 0 };
  const outputs = subject.agent_outputs.reduce(
    (sum, { summary, data }) => sum + summary.length + dataText(data).length,
    0,
  );
  const [one, many] = [
    readingCost(subject.answer.length, config.answer_chars),
    readingCost(outputs, config.output_chars),
  ];
  const claims = Math.min(JUDGED_CLAIMS_MAX, Math.ceil(subject.answer.length / 150));
  // Each window comes with an overview of the other text; all share the call about the whole.
  const calls = one.calls + many.calls - 1;
  const overviews =
    (many.calls - 1) * Math.min(subject.answer.length, config.answer_chars) +
    (one.calls - 1) * Math.min(outputs, config.output_chars);
  const given = 2 * Math.min(subject.query.length, 24_000) + 2 * 150 * claims;
  const shown = one.chars + many.chars + overviews + calls * given;
  return {
    inputTokens: calls * 1_500 + Math.ceil(shown / 4),
    outputTokens: calls * (400 + 80 * claims),
  };
}
