import type { Sql, TransactionSql } from 'postgres';
import { type ModelSettings, noModelSettings, type OwnPrice } from '../../llm';

interface AliasRow {
  p: string;
  alias: string;
  model: string;
}

interface PriceRow {
  p: string;
  model: string;
  valid_from: string;
  input_usd: number;
  output_usd: number;
  cache_read_usd: number | null;
  cache_write_usd: number | null;
  reasoning_usd: number | null;
}

/** The aliases and own prices of these projects, as a function of the project. */
export async function loadModelSettings(
  { sql }: { readonly sql: Sql | TransactionSql },
  projectIds: Iterable<string>,
): Promise<(projectId: string) => ModelSettings> {
  const wanted = JSON.stringify([...new Set(projectIds)]);
  const of = sql`project_id in (select jsonb_array_elements_text(${wanted}::text::jsonb))`;
  const [aliases, prices] = await Promise.all([
    sql<AliasRow[]>`select project_id as p, alias, model from model_aliases where ${of}`,
    sql<PriceRow[]>`
      select project_id as p, model, valid_from::text, input_usd, output_usd, cache_read_usd, cache_write_usd, reasoning_usd
      from model_prices where ${of}`,
  ]);
  const settings = new Map<string, { aliases: Map<string, string>; prices: OwnPrice[] }>();
  const entry = (projectId: string) => {
    const found = settings.get(projectId) ?? { aliases: new Map<string, string>(), prices: [] };
    settings.set(projectId, found);
    return found;
  };
  for (const { p, alias, model } of aliases) entry(p).aliases.set(alias, model);
  for (const row of prices) entry(row.p).prices.push(asOwnPrice(row));
  return (projectId) => settings.get(projectId) ?? noModelSettings;
}

function asOwnPrice(row: Omit<PriceRow, 'p'>): OwnPrice {
  return {
    model: row.model,
    validFrom: row.valid_from,
    inputUsd: row.input_usd,
    outputUsd: row.output_usd,
    cacheReadUsd: row.cache_read_usd,
    cacheWriteUsd: row.cache_write_usd,
    reasoningUsd: row.reasoning_usd,
  };
}
