import type { Ctx } from '../platform';
import { rewrapSecret } from './seal';

/** Every column with sealed secrets, and the address that each is bound to. */
const sealedColumns = (sql: Ctx['sql']) => [
  { table: 'destinations', column: 'secret_sealed', id: 'id', address: sql`url` },
  { table: 'destinations', column: 'headers_sealed', id: 'id', address: sql`url` },
  { table: 'experiments', column: 'headers', id: 'id', address: sql`target ->> 'url'` },
  { table: 'providers', column: 'sealed_key', id: 'name', address: sql`base_url` },
];

export interface RewrapCount {
  readonly rewrapped: number;
  /** Already wrapped under the current ASSAY_SECRET. */
  readonly current: number;
  /** `table.column project/row: reason`. They are unchanged. */
  readonly unreadable: readonly string[];
}

interface SealedRow {
  project_id: string;
  id: string;
  address: string;
  sealed: string;
}

/**
 * Wraps the keys of all secrets under the current ASSAY_SECRET. Works row by row, so it can be
 * interrupted anywhere and run again. A secret that someone changes meanwhile is left unchanged.
 * @throws AssayError unavailable if the process has no ASSAY_SECRET
 */
export async function rewrapSecrets(ctx: Ctx): Promise<RewrapCount> {
  const { sql } = ctx;
  const count = { rewrapped: 0, current: 0, unreadable: [] as string[] };
  for (const { table, column, id, address } of sealedColumns(sql)) {
    const rows = await sql<SealedRow[]>`
      select project_id, ${sql(id)} as id, ${address} as address, ${sql(column)} as sealed
      from ${sql(table)} where ${sql(column)} is not null order by project_id, ${sql(id)}`;
    for (const row of rows) {
      const place = {
        projectId: row.project_id,
        table,
        column,
        rowId: row.id,
        origin: new URL(row.address).origin,
      };
      const result = tryRewrap(ctx, place, row.sealed);
      if (typeof result === 'object')
        count.unreadable.push(`${table}.${column} ${row.project_id}/${row.id}: ${result.reason}`);
      else if (result === '') count.current++;
      else {
        await sql`
          update ${sql(table)} set ${sql(column)} = ${result}
          where project_id = ${row.project_id} and ${sql(id)} = ${row.id} and ${sql(column)} = ${row.sealed}`;
        count.rewrapped++;
      }
    }
  }
  return count;
}

/** The new text, an empty text if the old one stays, or the reason why it cannot be opened. */
function tryRewrap(
  ctx: Ctx,
  place: Parameters<typeof rewrapSecret>[1],
  sealed: string,
): string | { readonly reason: string } {
  try {
    return rewrapSecret(ctx, place, sealed) ?? '';
  } catch (error) {
    if (ctx.env.secret === null) throw error;
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
