import type { Ask, AskRequest } from '../../domain';
import { loadModels, type Price } from '../../llm';
import type { Ctx } from '../../platform';
import type { ClaimedWork } from '../../queue';
import { openCostBudget } from '../../rules';
import { judgeCostUsd } from './plan-run-spending';

/** Asking under the budget in dollars of the rule that sent the work. */
export interface BudgetedAsk {
  readonly ask: Ask;
  /** Why a call was not made; null where all were. */
  readonly refused: () => string | null;
}

/** HTTP requests that one question may take (`askTries` of the model client), each of which may be paid. */
const triesMax = 3;
/** Tokens of the frame that a provider puts around messages. */
const frameTokens = 500;

/**
 * Sets aside before each call what it may cost at most, and asks nothing that the budget has no
 * room for: what is recorded never exceeds it. Without a budget `ask` stays as it is.
 */
export async function askWithinBudget(ctx: Ctx, work: ClaimedWork, ask: Ask): Promise<BudgetedAsk> {
  const budget = await openCostBudget(ctx, work);
  if (budget === null) return { ask, refused: () => null };
  const { prices } = await loadModels(ctx, work.projectId);
  let refused: string | null = null;
  const refuse = (request: AskRequest, reason: string): Awaited<ReturnType<Ask>> => {
    refused ??= reason;
    return {
      state: 'failed',
      errorClass: 'aborted',
      message: reason,
      retryAfterMs: null,
      usage: {
        provider: null,
        model: request.model,
        inputTokens: 0,
        outputTokens: 0,
        costUsd: 0,
        latencyMs: 0,
        calls: 0,
      },
    };
  };
  return {
    refused: () => refused,
    async ask(request) {
      const bound = boundMicros(request, prices);
      if (bound === null)
        return refuse(
          request,
          `the price of ${request.model} is not known: set it for its provider`,
        );
      if (!(await budget.reserve(bound))) return refuse(request, await budget.describe());
      let spent = bound;
      try {
        const result = await ask(request);
        const { costUsd, calls } = result.usage;
        if (costUsd !== null) spent = Math.min(bound, Math.ceil(costUsd * 1_000_000));
        else if (calls === 0) spent = 0;
        return result;
      } finally {
        await budget.settle(bound, spent);
      }
    },
  };
}

/** Millionths of a US dollar; a token is at least one byte. Null where the price is not known. */
function boundMicros(request: AskRequest, prices: ReadonlyMap<string, Price>): number | null {
  const texts = [request.system, ...request.messages.map(({ content }) => content)];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), frameTokens);
  const usd = judgeCostUsd(request.model, bytes, request.maxOutputTokens, prices);
  return usd === null ? null : Math.ceil(usd * 1_000_000 * triesMax);
}
