import type { AskErrorClass, AskRequest, AskResult, AskUsage } from '../../domain';
import type { Ctx } from '../../platform';
import { costOf } from '../registry/price';
import type { CallReport } from './call-model';
import type { Target } from './find-target';

/** Adds up the tokens, time and cost of the calls of one question. */
export function createTally(
  ctx: Pick<Ctx, 'clock'>,
  request: Pick<AskRequest, 'model'>,
  began: number,
) {
  let calls = 0;
  let inputTokens = 0;
  let outputTokens = 0;
  let costUsd: number | null = 0;
  const usage = (found: Target | null): AskUsage => ({
    provider: found?.provider.name ?? null,
    model: found?.model ?? request.model,
    inputTokens,
    outputTokens,
    costUsd: calls === 0 ? 0 : costUsd,
    latencyMs: ctx.clock.monotonicMs() - began,
    calls,
  });
  return {
    /**
     * US dollars for the call; null if the price or the tokens are unknown. Failed calls are not
     * billed.
     */
    add(found: Target, report: CallReport): number | null {
      const cost = callCost(found, report);
      calls++;
      inputTokens += report.inputTokens ?? 0;
      outputTokens += report.outputTokens ?? 0;
      costUsd = costUsd === null || cost === null ? null : costUsd + cost;
      return cost;
    },
    answered: (found: Target, text: string): AskResult => ({
      state: 'answered',
      text,
      usage: usage(found),
    }),
    failed: (
      found: Target | null,
      errorClass: AskErrorClass,
      message: string,
      retryAfterMs: number | null,
    ): AskResult => ({
      state: 'failed',
      errorClass,
      message,
      retryAfterMs,
      usage: usage(found),
    }),
  };
}

function callCost(
  { provider, model }: Target,
  { state, inputTokens, outputTokens }: CallReport,
): number | null {
  if (inputTokens === null && outputTokens === null) return state === 'failed' ? 0 : null;
  return costOf(model, inputTokens ?? 0, outputTokens ?? 0, provider.prices.get(model) ?? null);
}
