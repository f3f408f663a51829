import { calcPrice, findProvider, type Provider, type Usage } from '@pydantic/genai-prices';
import type { TokenUsage } from '../../domain';
import { familyOf } from './family';
import { modelIdentity } from './identity';
import { splitModelName } from './tokens';
import type { Family } from './words';

/** US dollars per million tokens. */
export interface Price {
  readonly inputUsd: number;
  readonly outputUsd: number;
}

/**
 * The price list: the package `@pydantic/genai-prices`, maintained from the vendors' pages, with
 * tiers by the size of a call and the dates from which prices apply. Actual bills may differ.
 */
export const priceList = 'genai-prices 0.1.8';

/** The list's id of the provider that a name was routed through. */
const listedRoutes: ReadonlyMap<string, string> = new Map([
  ['azure', 'azure'],
  ['azure_ai', 'azure'],
  ['azure-openai', 'azure'],
  ['bedrock', 'aws'],
  ['amazon-bedrock', 'aws'],
  ['aws', 'aws'],
  ['vertex', 'google'],
  ['vertex_ai', 'google'],
  ['openrouter', 'openrouter'],
  ['together', 'together'],
  ['together_ai', 'together'],
  ['fireworks', 'fireworks'],
  ['fireworks_ai', 'fireworks'],
  ['groq', 'groq'],
  ['cerebras', 'cerebras'],
  ['perplexity', 'perplexity'],
]);

/** Routes to the caller's own machines, where list prices do not apply. */
const ownMachines = new Set(['ollama', 'ollama_chat', 'vllm', 'lmstudio', 'local']);

/** The list's id of the maker that sells a family's models. */
const listedMakers: Partial<Record<Family, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  mistral: 'mistral',
  deepseek: 'deepseek',
  cohere: 'cohere',
  xai: 'x-ai',
  amazon: 'aws',
  moonshot: 'moonshotai',
  zhipu: 'zai',
  minimax: 'minimax',
};

/** A model of the price list. */
export interface ListedModel {
  /** The list's provider and model, such as `openai/gpt-4o`. */
  readonly label: string;
  /** The provider with this model only, which makes a calculation fast. */
  readonly provider: Provider;
  /** The name by which the list matches it. */
  readonly name: string;
}

/**
 * Listed models by name as the caller spelled it. Cached because a price is looked up for every
 * call, and bounded because callers choose the names.
 */
const bySpelling = new Map<string, ListedModel | null>();
const SPELLINGS_MAX = 1000;
const SPELLING_CHARS_MAX = 200;

/** The model of the price list that a name denotes; null if there is none. */
export function findListed(model: string): ListedModel | null {
  const cached = bySpelling.get(model);
  if (cached !== undefined) return cached;
  const listed = findUncached(model);
  if (bySpelling.size < SPELLINGS_MAX && model.length <= SPELLING_CHARS_MAX)
    bySpelling.set(model, listed);
  return listed;
}

function findUncached(model: string): ListedModel | null {
  const { vendors, name } = splitModelName(model);
  if (vendors.some((vendor) => ownMachines.has(vendor))) return null;
  // A fine-tuned model has its own price.
  if (vendors.includes('ft')) return null;
  const identity = modelIdentity(model);
  const names = [name, identity, `${identity}-latest`];
  const path = model.trim().toLowerCase().split('?')[0] ?? '';
  const routed = vendors.flatMap((vendor) => listedRoutes.get(vendor) ?? []);
  const family = familyOf(name);
  const maker = family === null ? undefined : listedMakers[family];
  for (const id of routed) {
    const found = firstListed(id, [path, path.slice(path.indexOf('/') + 1), ...names], name);
    if (found !== null) return found;
  }
  return maker === undefined ? null : firstListed(maker, names, name);
}

function firstListed(
  providerId: string,
  names: readonly string[],
  model: string,
): ListedModel | null {
  const provider = findProvider({ providerId });
  if (provider === undefined) return null;
  for (const name of new Set(names)) {
    const found = calcPrice({ input_tokens: 1 }, name, { provider });
    if (found === null || sizesOf(found.model.id) !== sizesOf(model)) continue;
    return {
      label: `${provider.id}/${found.model.id}`,
      provider: { ...provider, models: [found.model], fallback_model_providers: [] },
      name,
    };
  }
  return null;
}

/**
 * The sizes in a name (`8b`): the list matches some names by their beginning, and a model of
 * another size is another model.
 */
const sizesOf = (name: string): string =>
  (name.toLowerCase().match(/(?<![a-z0-9])\d+(?:\.\d+)?(?:x\d+)?b(?![a-z0-9])/g) ?? []).join();

/** The base price of a model today, or null if it is unknown, which does not mean free. */
export function priceOf(model: string): Price | null {
  const listed = findListed(model);
  if (listed === null) return null;
  const million = 1_000_000;
  const input = calculate(listed, { input_tokens: 1 });
  const output = calculate(listed, { output_tokens: 1 });
  return input === null || output === null
    ? null
    : { inputUsd: input * million, outputUsd: output * million };
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
  if (projectPrice !== null)
    return (
      (inputTokens * projectPrice.inputUsd + outputTokens * projectPrice.outputUsd) / 1_000_000
    );
  const listed = findListed(model);
  return listed === null
    ? null
    : calculate(listed, { input_tokens: inputTokens, output_tokens: outputTokens });
}

/**
 * The list price of similar calls, in US dollars: `usage` is the sum of `calls` calls. Null if the
 * list has no price for such tokens.
 */
export function listCost(
  listed: ListedModel,
  usage: TokenUsage,
  { calls, at }: { readonly calls: number; readonly at: Date },
): number | null {
  const each = (tokens: number | null): number => (tokens ?? 0) / calls;
  const cost = calculate(
    listed,
    {
      input_tokens: each(usage.input),
      output_tokens: each(usage.output),
      cache_read_tokens: each(usage.cacheRead),
      cache_write_tokens: each(usage.cacheWrite),
      output_reasoning_tokens: each(usage.reasoning),
    },
    at,
  );
  return cost === null ? null : cost * calls;
}

/** Far below a token's price; without the noise of sums of binary fractions. */
const costDecimals = 15;

function calculate({ provider, name }: ListedModel, usage: Usage, at?: Date): number | null {
  try {
    const found = calcPrice(usage, name, {
      provider,
      ...(at !== undefined && { timestamp: at }),
    });
    return found === null ? null : Number(found.total_price.toFixed(costDecimals));
  } catch {
    // An entry of the list that cannot price these tokens.
    return null;
  }
}
