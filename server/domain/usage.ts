import { z } from 'zod';

const tokens = z.number().int().min(0).nullable();

/**
 * The tokens of model calls, the parts included in their sum regardless of the provider's own way
 * of counting. Null if not reported.
 */
export const TokenUsage = z.object({
  /** All input tokens, with those that were read from or written to a cache. */
  input: tokens,
  /** All output tokens, with reasoning. */
  output: tokens,
  /** Parts of `input`. */
  cacheRead: tokens,
  cacheWrite: tokens,
  /** A part of `output`. */
  reasoning: tokens,
});
export type TokenUsage = z.infer<typeof TokenUsage>;

/** The usage of calls of one model, as stored with a turn or a trace. */
export const ModelUsage = TokenUsage.extend({
  /** The model's name as sent; null if none was sent. */
  model: z.string().nullable(),
  /** The calls that are summed here. */
  calls: z.number().int().min(1),
  /** Their cost in US dollars as the client sent it; null if it sent none. */
  costUsd: z.number().min(0).nullable(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

export const noTokens: TokenUsage = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
};

/** Whether a usage contains anything that determines its cost. */
export const hasUsage = ({ input, output, costUsd }: ModelUsage): boolean =>
  input !== null || output !== null || costUsd !== null;

/**
 * The same tokens with sums that cover their parts: a sum below its parts was counted without them,
 * so they are added.
 */
export function coverParts(usage: TokenUsage): TokenUsage {
  const { input, output, cacheRead, cacheWrite, reasoning } = usage;
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  return {
    ...usage,
    input: cached > (input ?? 0) ? (input ?? 0) + cached : input,
    output: (reasoning ?? 0) > (output ?? 0) ? (output ?? 0) + (reasoning ?? 0) : output,
  };
}

/**
 * Calls with at least this many input tokens are not summed with others: price lists have tiers by
 * the size of one call, the lowest of them at 128,000 tokens.
 */
const largeCallTokens = 100_000;
/**
 * The most entries of a sum. Calls beyond them are added to one of the same model, or else summed
 * as calls of an unknown model.
 */
const entriesMax = 200;

/**
 * Sums calls by model, separately for large calls and for calls with and without a sent cost. The
 * order is that of the first call. Pure.
 */
export function groupUsage(calls: readonly ModelUsage[]): ModelUsage[] {
  const groups = new Map<string, ModelUsage>();
  /** The latest group of each model. */
  const latest = new Map<string, string>();
  for (const [at, call] of calls.entries()) {
    const isLarge = (call.input ?? 0) >= largeCallTokens;
    const modelKey = keyOf(call, null);
    const ownKey = isLarge ? keyOf(call, at) : modelKey;
    const isBeyond = groups.size >= entriesMax && !groups.has(ownKey);
    const known = isBeyond ? latest.get(modelKey) : ownKey;
    const entry = known === undefined ? { ...call, model: null } : call;
    const key = known ?? keyOf(entry, null);
    const group = groups.get(key) ?? null;
    groups.set(key, group === null ? entry : addUsage(group, entry));
    latest.set(modelKey, key);
  }
  return [...groups.values()];
}

const keyOf = ({ model, costUsd }: ModelUsage, at: number | null): string =>
  JSON.stringify([model, costUsd !== null, at]);

function addUsage(one: ModelUsage, two: ModelUsage): ModelUsage {
  return {
    model: one.model,
    calls: one.calls + two.calls,
    input: add(one.input, two.input),
    output: add(one.output, two.output),
    cacheRead: add(one.cacheRead, two.cacheRead),
    cacheWrite: add(one.cacheWrite, two.cacheWrite),
    reasoning: add(one.reasoning, two.reasoning),
    costUsd: one.costUsd === null || two.costUsd === null ? null : one.costUsd + two.costUsd,
  };
}

/** Limited to the integers that JavaScript represents exactly. */
const add = (one: number | null, two: number | null): number | null =>
  one === null ? two : two === null ? one : Math.min(one + two, Number.MAX_SAFE_INTEGER);
