import type { JsonLeaf } from './json-leaves';
import type { PathNode } from './path';
import { currencyCodes } from './vocabulary';

/** The currency of a JSON number: its key names one (`price_usd`), or a `currency` beside or above it does. */
export type MoneyHint = (node: PathNode) => string | null;

/** Codes that are words as well (TRY, PEN, ALL) are not read from keys. */
const CODES = 'usd|eur|gbp|jpy|chf|cny|inr|aud|cad|sek|nok|dkk|pln';
const IN_KEY = new RegExp(`(?:^|[_\\-. ])(${CODES})(?:$|[_\\-. ])`, 'i');
const CAMEL_KEY = /[a-z](USD|Usd|EUR|Eur|GBP|Gbp|JPY|Jpy|CHF|Chf|CNY|Cny|INR|Inr|AUD|Aud|CAD|Cad)$/;
const NAMES_CURRENCY = new Set(['currency', 'currency_code', 'currencycode', 'ccy']);
const KEY_LENGTH_MAX = 80;
const LEVELS_MAX = 8;

export function moneyHints(leaves: readonly JsonLeaf[]): MoneyHint {
  const byNode = new Map<PathNode, string>();
  for (const { kind, text, node } of leaves) {
    if (kind !== 'string' || text.length !== 3 || typeof node.step !== 'string' || node.parent === null) continue;
    const code = text.toUpperCase();
    if (NAMES_CURRENCY.has(node.step.toLowerCase()) && currencyCodes.has(code)) byNode.set(node.parent, code);
  }
  return (node) => {
    if (typeof node.step === 'string' && node.step.length <= KEY_LENGTH_MAX) {
      const named = IN_KEY.exec(node.step) ?? CAMEL_KEY.exec(node.step);
      if (named?.[1] !== undefined) return named[1].toUpperCase();
    }
    if (byNode.size === 0) return null;
    let at = node.parent;
    for (let level = 0; at !== null && level < LEVELS_MAX; level++, at = at.parent) {
      const code = byNode.get(at);
      if (code !== undefined) return code;
    }
    return null;
  };
}
