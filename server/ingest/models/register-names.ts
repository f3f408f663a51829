import type { Sql, TransactionSql } from 'postgres';
import { resolveModel } from '../../llm';
import type { Ctx } from '../../platform';
import { loadModelSettings } from './model-settings';

/** A name under which a project reports a model. */
export interface NamedModel {
  readonly projectId: string;
  readonly name: string;
}

/** Names that this process has registered; cleared when full. */
const registered = new Set<string>();
const REGISTERED_MAX = 50_000;

/**
 * Stores the identity of names that are new. Call it before storing rows with these names, so that
 * they count under it from the beginning. In a transaction it uses its connection.
 * @throws on storage faults
 */
export async function registerModelNames(
  { sql: outer }: { readonly sql: Sql | TransactionSql },
  named: Iterable<{ readonly projectId: string; readonly name: string | null }>,
): Promise<void> {
  const fresh = new Map<string, NamedModel>();
  for (const { projectId, name } of named) {
    const key = `${projectId}\n${name}`;
    if (name !== null && name !== '' && !registered.has(key)) fresh.set(key, { projectId, name });
  }
  if (fresh.size === 0) return;
  const projects = [...new Set([...fresh.values()].map(({ projectId }) => projectId))].sort();
  const store = async (sql: TransactionSql): Promise<void> => {
    for (const projectId of projects) await lockModels(sql, projectId);
    await storeIdentities(sql, [...fresh.values()]);
  };
  // The caller's transaction may roll back, and then the names are not known.
  if ('savepoint' in outer) return store(outer);
  await outer.begin(store);
  if (registered.size + fresh.size > REGISTERED_MAX) registered.clear();
  for (const key of fresh.keys()) registered.add(key);
}

/** Names resolved per step. */
const stepNames = 1000;

/**
 * Resolves names of rows that an earlier release stored. True if there may be more.
 * @throws on storage faults
 */
export async function resolveModelNames(ctx: Pick<Ctx, 'sql'>): Promise<boolean> {
  const rows = await ctx.sql<{ p: string; name: string }[]>`
    select project_id as p, name from model_names where identity is null order by 1, 2 limit ${stepNames}`;
  const [first] = rows;
  if (first === undefined) return false;
  const ofFirst = rows.filter(({ p }) => p === first.p);
  await ctx.sql.begin(async (sql) => {
    await lockModels(sql, first.p);
    await storeIdentities(
      sql,
      ofFirst.map(({ p: projectId, name }) => ({ projectId, name })),
    );
  });
  return true;
}

/** Excludes changes of aliases (`changeModels`) until the transaction ends. */
async function lockModels(sql: TransactionSql, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`models ${projectId}`}, 0))`;
}

/** Stores the identity of each name by the current aliases of its project. */
async function storeIdentities(sql: TransactionSql, names: readonly NamedModel[]): Promise<void> {
  const settingsOf = await loadModelSettings(
    { sql },
    names.map(({ projectId }) => projectId),
  );
  const rows = names.map(({ projectId, name }) => ({
    project_id: projectId,
    name,
    identity: resolveModel(name, settingsOf(projectId).aliases),
  }));
  await sql`
    insert into model_names as m (project_id, name, identity)
    select project_id, name, identity from jsonb_populate_recordset(null::model_names, ${JSON.stringify(rows)}::text::jsonb)
    order by 1, 2
    on conflict (project_id, name) do update set identity = excluded.identity
    where m.identity is distinct from excluded.identity`;
}
