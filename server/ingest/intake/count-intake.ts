import type { Fragment, Sql, TransactionSql } from 'postgres';

type Counter = 'turns' | 'spans' | 'duplicates' | 'rejected';

/**
 * Adds to the daily counts of the intake; negative numbers subtract.
 * @param rows project_id, day, shard and then the counters, in the order of the key
 */
export function countIntake(
  sql: Sql | TransactionSql,
  counters: readonly Counter[],
  rows: Fragment,
): Fragment {
  const list = (part: (name: Counter) => Fragment): Fragment =>
    counters.map(part).reduce((before, each) => sql`${before}, ${each}`);
  return sql`
    insert into intake_rollups as c (project_id, day, shard, ${list((name) => sql`${sql(name)}`)})
    ${rows}
    on conflict (project_id, day, shard)
    do update set ${list((name) => sql`${sql(name)} = c.${sql(name)} + excluded.${sql(name)}`)}`;
}

/**
 * Inserts missing sessions.
 * @param rows project_id, id, received_at, in the order of the key
 */
export function insertSessions(sql: Sql | TransactionSql, rows: Fragment): Fragment {
  return sql`
    insert into sessions (project_id, id, received_at) ${rows} on conflict do nothing`;
}
