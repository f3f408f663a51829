import { coverParts, type ModelUsage, type TokenUsage } from '../../domain';
import { modelIdentity, resolveModel } from './identity';
import { findListed, listCost } from './price';
import { splitModelName } from './tokens';

/** A project's own price of a model, in US dollars per million tokens. */
export interface OwnPrice {
  /** In lower case: an identity, or a name as sent. */
  readonly model: string;
  /** The first UTC day, such as `2026-01-31`. */
  readonly validFrom: string;
  readonly inputUsd: number;
  readonly outputUsd: number;
  /** Null if priced like other tokens. */
  readonly cacheReadUsd: number | null;
  readonly cacheWriteUsd: number | null;
  readonly reasoningUsd: number | null;
}

/** A project's settings for models: aliases by their lower-case name, and own prices. */
export interface ModelSettings {
  readonly aliases: ReadonlyMap<string, string>;
  readonly prices: readonly OwnPrice[];
}

export const noModelSettings: ModelSettings = { aliases: new Map(), prices: [] };

/** The cost of work and where it comes from. */
export interface UsageCost {
  /** US dollars; a lower bound if a part has no price. Null if no part has a cost. */
  readonly costUsd: number | null;
  /**
   * The origins of its parts, sorted, each once: `sent` by the client, `own <model>` price,
   * `list <provider>/<model>` price, `none <model>`: no price is known.
   */
  readonly basis: readonly string[];
}

/** The most origins that are kept. */
const basisMax = 20;

/**
 * The cost of calls at the prices of `at`. A cost that the client sent wins; then the project's own
 * price, then the list price, of the name as sent or else of the model that it is an alias of. A
 * model without a price has no cost, never 0. Pure, apart from the price list.
 */
export function priceUsage(
  usage: readonly ModelUsage[],
  settings: ModelSettings,
  at: Date,
): UsageCost {
  const parts = usage.map((each) => priceEntry(each, settings, at));
  const known = parts.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  const basis = [...new Set(parts.map(({ origin }) => origin))].sort();
  return {
    costUsd:
      known.length === 0
        ? null
        : Number(known.reduce((sum, usd) => sum + usd, 0).toFixed(costDecimals)),
    basis: basis.slice(0, basisMax),
  };
}

/** US dollars are rounded to a billionth. */
const costDecimals = 9;

function priceEntry(
  { model, calls, costUsd, ...sent }: ModelUsage,
  settings: ModelSettings,
  at: Date,
): { readonly usd: number | null; readonly origin: string } {
  if (costUsd !== null) return { usd: costUsd, origin: 'sent' };
  if (model === null) return { usd: null, origin: 'none' };
  const tokens = coverParts(sent);
  const ownPrice = findOwnPrice(model, settings, at);
  if (ownPrice !== null) return { usd: ownCost(ownPrice, tokens), origin: `own ${ownPrice.model}` };
  const resolved = resolveModel(model, settings.aliases);
  const isAlias = resolved !== modelIdentity(model);
  const listed = findListed(model) ?? (isAlias ? findListed(resolved) : null);
  const usd = listed === null ? null : listCost(listed, tokens, { calls, at });
  return listed === null || usd === null
    ? { usd: null, origin: `none ${resolved}` }
    : { usd, origin: `list ${listed.label}` };
}

/** The price of the most exact name that has one on this day, the latest of this name. */
function findOwnPrice(
  model: string,
  { aliases, prices }: ModelSettings,
  at: Date,
): OwnPrice | null {
  if (prices.length === 0) return null;
  const day = at.toISOString().slice(0, 10);
  const resolved = resolveModel(model, aliases).toLowerCase();
  const exact = [model.trim(), splitModelName(model).name].map((key) => key.toLowerCase());
  for (const key of new Set([...exact, resolved])) {
    const price = prices
      .filter((each) => each.model === key && each.validFrom <= day)
      .toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0];
    if (price !== undefined) return price;
  }
  return null;
}

function ownCost(price: OwnPrice, tokens: TokenUsage): number {
  const { cacheRead, cacheWrite, reasoning } = tokens;
  const [read, written, thought] = [cacheRead ?? 0, cacheWrite ?? 0, reasoning ?? 0];
  const usd =
    ((tokens.input ?? 0) - read - written) * price.inputUsd +
    read * (price.cacheReadUsd ?? price.inputUsd) +
    written * (price.cacheWriteUsd ?? price.inputUsd) +
    ((tokens.output ?? 0) - thought) * price.outputUsd +
    thought * (price.reasoningUsd ?? price.outputUsd);
  return usd / 1_000_000;
}
