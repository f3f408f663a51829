import type { Fragment, Sql, TransactionSql } from 'postgres';
import type { ProjectCtx } from '../../access';
import { modelIdentity } from '../../llm';

/**
 * The identity that a name counts under, as an expression. Names are stored as sent and resolved
 * when they are read, so that rows of all times follow a change of an alias.
 * @param model an expression of the name; its value stays where it is null, '' or not registered
 * @param projectId an expression of the project, a column so that it may be grouped by; the columns
 *   of both are named with their table
 */
export function identityOf(
  { sql }: { readonly sql: Sql | TransactionSql },
  projectId: Fragment,
  model: Fragment,
): Fragment {
  return sql`coalesce((
    select m.identity from model_names m where m.project_id = ${projectId} and m.name = ${model}
  ), ${model})`;
}

/**
 * The condition that a column has a name of the model that `wanted` denotes, under any of its
 * names. Its names are read once, so that an index of the column is used.
 */
export function isModel(ctx: ProjectCtx, column: Fragment, name: string): Fragment {
  const { sql } = ctx;
  return sql`${column} = any(${modelNamesOf(ctx, name)})`;
}

/** The same for a column with a list of names: one of them has to be of the model. */
export function hasModel(ctx: ProjectCtx, column: Fragment, name: string): Fragment {
  const { sql } = ctx;
  return sql`${column} && ${modelNamesOf(ctx, name)}`;
}

/** All names of the model that `wanted` denotes, as an array. */
export function modelNamesOf(
  { sql, projectId }: Pick<ProjectCtx, 'sql' | 'projectId'>,
  name: string,
): Fragment {
  return sql`array(
    select m.name from model_names m where m.project_id = ${projectId} and m.identity = coalesce((
      select w.identity from model_names w where w.project_id = ${projectId} and w.name = ${name}
    ), (
      select w.identity from model_names w where w.project_id = ${projectId} and w.identity = ${name} limit 1
    ), ${modelIdentity(name)})
    union select ${name}::text where not exists (
      select from model_names w where w.project_id = ${projectId} and w.name = ${name} and w.identity is not null)
  )`;
}
