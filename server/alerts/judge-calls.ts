import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';

/** The errors of a judge that does not answer. */
const outages = [
  'timeout',
  'rate_limited',
  'overloaded',
  'unauthorized',
  'unreachable',
  'bad_reply',
];

/**
 * Calls to judges from an instant on, and before another if there is one, with `provider`, `model`,
 * `state`, `error_class` and `created_at`: the latest `limit` ones, without experiments, and
 * without requests that were declined, invalid or cancelled.
 */
export function judgeCalls(
  { sql, projectId }: Pick<ProjectCtx, 'sql' | 'projectId'>,
  { from, to, limit }: { readonly from: Date; readonly to?: Date; readonly limit: number },
): Fragment {
  return sql`
    select * from (
      select provider, model, state, error_class, created_at from llm_calls c
      where project_id = ${projectId} and created_at >= ${from.toISOString()}::timestamptz
        ${to === undefined ? sql`` : sql`and created_at < ${to.toISOString()}::timestamptz`}
        and not exists (select from verdicts v where v.project_id = c.project_id and v.id = c.verdict_id and v.experiment_id is not null)
        and not exists (select from work w where w.project_id = c.project_id and w.id = c.verdict_id and w.experiment_id is not null)
      order by created_at desc limit ${limit}
    ) as latest
    where state = 'answered' or error_class in ${sql(outages)}`;
}
