import type { PendingQuery, TransactionSql } from 'postgres';
import type { ProjectCtx } from '../../access';

/**
 * Reads with joins by hash or merge, whose time grows with the number of rows. The statistics of
 * the tables do not yet know a new experiment, so the planner expects few rows and would otherwise
 * compare each one with every other.
 */
export function joinByHash<Row extends object>(
  { sql }: Pick<ProjectCtx, 'sql'>,
  read: (tx: TransactionSql) => PendingQuery<Row[]>,
): Promise<readonly Row[]> {
  return sql.begin('read only', async (tx): Promise<readonly Row[]> => {
    await tx`select set_config('enable_nestloop', 'off', true)`;
    return read(tx);
  });
}
