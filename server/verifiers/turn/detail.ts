import { z } from 'zod';
import { type AnswerVerification, type JudgeCall, SteeringRecord, type Score } from '../../domain';
import { measuredBy } from '../../evaluators';
import type { NodeResult } from '../plan-node';
import type { JudgeCost } from '../kind';

export const EVALUATOR = 'judge.turn@1';
export const TITLE = 'The answer needs no steering';
/** The single node of both plans. */
export const NODE = 'look';

/** The effect of a note, without the answer that was not delivered, which the turn records. */
const SteerDetail = SteeringRecord.omit({ other_answer: true });

/** The member `turn` of a verdict. */
export const TurnDetail = z.object({
  decision: z.enum(['pass', 'steer', 'verifier_failed', 'skipped']),
  /** The steering note; null unless the decision is `steer`. */
  note: z.string().nullable(),
  /** Calls of the verifier: 2 with a format correction (QV-20). */
  calls: z.number().int().min(0),
  /** Why the verifier failed; null if it did not. */
  problem: z.string().nullable(),
  /** How the gateway used the note; null for calls of the verify route, and without a note. */
  steer: SteerDetail.nullable(),
});
export type TurnDetail = z.infer<typeof TurnDetail>;

export const skippedDetail: TurnDetail = {
  decision: 'skipped',
  note: null,
  calls: 0,
  problem: null,
  steer: null,
};

export function detailOf(
  { decision, note, calls, problem }: JudgeCall,
  steer: AnswerVerification['steer'],
): TurnDetail {
  return {
    decision,
    note,
    calls,
    problem,
    steer: steer === null ? null : SteerDetail.parse(steer),
  };
}

/**
 * A judge call as a score: met if the answer may be delivered unchanged. A failed verifier measured
 * nothing.
 */
function scoreOf(call: JudgeCall): Score {
  const { decision, note, problem, model, prompt_version, cost_usd } = call;
  const base = { ...measuredBy(EVALUATOR, TITLE), model, prompt_version, cost_usd: cost_usd ?? 0 };
  switch (decision) {
    case 'pass':
      return {
        ...base,
        state: 'scored',
        value: 1,
        met: true,
        reasoning: 'The verifier lets the answer pass.',
      };
    case 'steer':
      return { ...base, state: 'scored', value: 0, met: false, reasoning: note };
    case 'verifier_failed':
      return { ...base, state: 'failed', value: null, met: null, reasoning: problem };
  }
}

/** The node's result for a judge call, whether made in this run or earlier. */
export function resultOf(call: JudgeCall): NodeResult {
  return { score: scoreOf(call), detail: call, latencyMs: call.latency_ms };
}

/** The total usage of all judge calls. */
export function turnJudgeCost(calls: readonly JudgeCall[]): JudgeCost {
  return {
    calls: calls.reduce((sum, { calls }) => sum + calls, 0),
    tokens: calls.reduce(
      (sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens,
      0,
    ),
    costUsd: calls.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0),
    priceUnknown: calls.some(({ cost_usd, calls }) => cost_usd === null && calls > 0),
    model: calls[0]?.model ?? null,
    retryAfterMs: null,
  };
}
