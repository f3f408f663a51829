import { normaliseModel } from './normalise';

/** US dollars per million tokens. */
export interface Price {
  readonly inputUsd: number;
  readonly outputUsd: number;
}

/**
 * The month of the vendors' price lists that this table was copied from. The prices are for short
 * prompts without caching; actual bills may differ.
 */
export const pricesAsOf = '2025-11';

const rows: readonly (readonly [string, number, number])[] = [
  ['gpt-5', 1.25, 10],
  ['gpt-5-mini', 0.25, 2],
  ['gpt-5-nano', 0.05, 0.4],
  ['gpt-4.1', 2, 8],
  ['gpt-4.1-mini', 0.4, 1.6],
  ['gpt-4.1-nano', 0.1, 0.4],
  ['gpt-4o', 2.5, 10],
  ['gpt-4o-mini', 0.15, 0.6],
  ['gpt-4-turbo', 10, 30],
  ['gpt-4', 30, 60],
  ['gpt-3.5-turbo', 0.5, 1.5],
  ['o1', 15, 60],
  ['o3', 2, 8],
  ['o3-mini', 1.1, 4.4],
  ['o4-mini', 1.1, 4.4],
  ['claude-opus-4-5', 5, 25],
  ['claude-opus-4-1', 15, 75],
  ['claude-opus-4', 15, 75],
  ['claude-sonnet-4-5', 3, 15],
  ['claude-sonnet-4', 3, 15],
  ['claude-haiku-4-5', 1, 5],
  ['claude-3-7-sonnet', 3, 15],
  ['claude-3-5-sonnet', 3, 15],
  ['claude-3-5-haiku', 0.8, 4],
  ['claude-3-opus', 15, 75],
  ['claude-3-haiku', 0.25, 1.25],
  ['gemini-2.5-pro', 1.25, 10],
  ['gemini-2.5-flash', 0.3, 2.5],
  ['gemini-2.5-flash-lite', 0.1, 0.4],
  ['gemini-2.0-flash', 0.1, 0.4],
  ['gemini-2.0-flash-lite', 0.075, 0.3],
  ['gemini-1.5-pro', 1.25, 5],
  ['gemini-1.5-flash', 0.075, 0.3],
  ['gemini-1.5-flash-8b', 0.0375, 0.15],
  ['mistral-large', 2, 6],
  ['mistral-small', 0.1, 0.3],
  ['codestral', 0.3, 0.9],
  ['deepseek-chat', 0.28, 0.42],
  ['deepseek-reasoner', 0.28, 0.42],
  ['grok-4', 3, 15],
  ['grok-3', 3, 15],
  ['grok-3-mini', 0.3, 0.5],
  ['command-r-plus', 2.5, 10],
  ['command-r', 0.15, 0.6],
];

const table: ReadonlyMap<string, Price> = new Map(
  rows.map(([model, inputUsd, outputUsd]) => [normaliseModel(model), { inputUsd, outputUsd }]),
);

/**
 * Prices by model name as the caller spelled it. Cached because the gateway looks up a price for
 * every call, and bounded because callers choose the names.
 */
const bySpelling = new Map<string, Price | null>();
const SPELLINGS_MAX = 1000;
const SPELLING_CHARS_MAX = 200;

/** The price of a model, or null if it is unknown, which does not mean free. */
export function priceOf(model: string): Price | null {
  const cached = bySpelling.get(model);
  if (cached !== undefined) return cached;
  const price = table.get(normaliseModel(model)) ?? null;
  if (bySpelling.size < SPELLINGS_MAX && model.length <= SPELLING_CHARS_MAX)
    bySpelling.set(model, price);
  return price;
}

/**
 * The cost of a call in US dollars, at the project's own price or else the list price; null if
 * neither is known.
 */
export function costOf(
  model: string,
  inputTokens: number,
  outputTokens: number,
  projectPrice: Price | null = null,
): number | null {
  const price = projectPrice ?? priceOf(model);
  return price === null
    ? null
    : (inputTokens * price.inputUsd + outputTokens * price.outputUsd) / 1_000_000;
}
