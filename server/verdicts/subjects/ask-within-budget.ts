import type { Ask, AskRequest } from '../../domain';
import { loadModels, type Price } from '../../llm';
import type { Ctx } from '../../platform';
import type { ClaimedWork } from '../../queue';
import { type CostBudget, openCostBudget } from '../../rules';
import { judgeCostUsd } from './plan-run-spending';
import type { SubjectDeps } from './subject-deps';

/** Model calls within the dollar budget of the rule that sent the work. */
export interface BudgetedAsk {
  readonly ask: Ask;
  /** Why a call was not made; null if every call was made. */
  readonly refused: () => string | null;
}

/**
 * The most HTTP requests per model call (`askTries` of the model client), each of which may be
 * charged.
 */
const triesMax = 3;
/** An upper bound of the tokens that a provider adds around the messages. */
const frameTokens = 500;

/** `ask` within the budget of the rule or experiment of the work; unchanged if it has none. */
export async function askWithinBudget(
  ctx: Ctx,
  { budgetOf }: Pick<SubjectDeps, 'budgetOf'>,
  work: ClaimedWork,
  ask: Ask,
): Promise<BudgetedAsk> {
  const budget = (await openCostBudget(ctx, work)) ?? budgetOf?.(ctx, work) ?? null;
  return budget === null
    ? { ask, refused: () => null }
    : askWithin(ctx, { projectId: work.projectId, budget, ask });
}

interface AskWithin {
  readonly projectId: string;
  readonly budget: CostBudget;
  readonly ask: Ask;
}

/**
 * Reserves the maximum cost of each call before it is made, and refuses a call that the budget
 * cannot cover, so that the recorded cost never exceeds the budget.
 */
export async function askWithin(
  ctx: Ctx,
  { projectId, budget, ask }: AskWithin,
): Promise<BudgetedAsk> {
  const { prices } = await loadModels(ctx, projectId);
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

/**
 * The maximum cost in millionths of a US dollar, since a token is at least one byte. Null if the
 * price is unknown.
 */
function boundMicros(request: AskRequest, prices: ReadonlyMap<string, Price>): number | null {
  const texts = [request.system, ...request.messages.map(({ content }) => content)];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), frameTokens);
  const usd = judgeCostUsd(request.model, bytes, request.maxOutputTokens, prices);
  return usd === null ? null : Math.ceil(usd * 1_000_000 * triesMax);
}
