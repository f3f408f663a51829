import type { SubjectOf } from '../../domain';

interface Usage {
  readonly cost_usd: number | null;
  readonly tokens: { readonly input: number | null; readonly output: number | null };
}

/**
 * Cost (US dollars, to a billionth) and tokens of several turns; null if none of them reports it.
 */
export function sumUsage(turns: readonly SubjectOf<'turn'>[]): Usage {
  const cost = sum(turns.map(({ cost_usd }) => cost_usd));
  return {
    cost_usd: cost === null ? null : Number(cost.toFixed(9)),
    tokens: {
      input: sum(turns.map(({ tokens }) => tokens.input)),
      output: sum(turns.map(({ tokens }) => tokens.output)),
    },
  };
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((all, value) => all + value, 0);
}
