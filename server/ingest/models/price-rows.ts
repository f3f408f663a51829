import type { Sql, TransactionSql } from 'postgres';
import { cleanText, type ModelUsage } from '../../domain';
import { priceUsage } from '../../llm';
import { loadModelSettings } from './model-settings';
import { registerModelNames } from './register-names';

/** Work of a project before it is stored. */
export interface WorkToPrice {
  readonly projectId: string;
  readonly usage: readonly ModelUsage[];
  /** Names that its rows contain in addition to those of `usage`. */
  readonly models: readonly (string | null)[];
  /** When it was done. */
  readonly at: Date;
}

/** The values of the columns `usage`, `cost_usd` and `cost_basis`; null if nothing was reported. */
export interface StoredCost {
  readonly usage: readonly ModelUsage[] | null;
  readonly costUsd: number | null;
  readonly costBasis: readonly string[] | null;
}

/**
 * Prices work, in the given order, by the settings of its projects, and registers the names of its
 * models. The one place that computes a cost before it is stored.
 * @throws on storage faults
 */
export async function priceRows(
  ctx: { readonly sql: Sql | TransactionSql },
  work: readonly WorkToPrice[],
): Promise<StoredCost[]> {
  const rows = work.map(withCleanNames);
  await registerModelNames(
    ctx,
    rows.flatMap(({ projectId, usage, models }) =>
      [...models, ...usage.map(({ model }) => model)].map((name) => ({ projectId, name })),
    ),
  );
  const used = rows.filter(({ usage }) => usage.length > 0);
  if (used.length === 0) return rows.map(() => storedCost([], { costUsd: null, basis: [] }));
  const settingsOf = await loadModelSettings(
    ctx,
    used.map(({ projectId }) => projectId),
  );
  return rows.map(({ projectId, usage, at }) =>
    storedCost(usage, priceUsage(usage, settingsOf(projectId), at)),
  );
}

const cleanName = (name: string | null): string | null =>
  name === null ? null : cleanText(name).text;

/** The names as columns store them: JSON with half a surrogate pair or NUL is refused. */
const withCleanNames = ({ usage, models, ...row }: WorkToPrice): WorkToPrice => ({
  ...row,
  usage: usage.map((used) => ({ ...used, model: cleanName(used.model) })),
  models: models.map(cleanName),
});

const storedCost = (
  usage: readonly ModelUsage[],
  { costUsd, basis }: ReturnType<typeof priceUsage>,
): StoredCost =>
  usage.length === 0
    ? { usage: null, costUsd: null, costBasis: null }
    : { usage, costUsd, costBasis: basis };

/** The same as members of a row of JSON: `mu`, `cost`, `cb`; none where there is no usage. */
export const costColumns = (cost: StoredCost | undefined): Readonly<Record<string, unknown>> =>
  cost === undefined || cost.usage === null
    ? {}
    : { mu: cost.usage, cost: cost.costUsd, cb: cost.costBasis };
