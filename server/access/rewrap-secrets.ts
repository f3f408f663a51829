import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Ctx } from '../platform';
import { resealAuditChains } from './audit-chain';
import { rewrapSecret } from './seal';

/** Every column with sealed secrets, and the address that each is bound to. */
const sealedColumns = (sql: Ctx['sql']) => [
  { table: 'destinations', column: 'secret_sealed', id: 'id', address: sql`url` },
  { table: 'destinations', column: 'headers_sealed', id: 'id', address: sql`url` },
  { table: 'destinations', column: 'actions_secret_sealed', id: 'id', address: sql`url` },
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
 * Wraps the keys of all secrets, and seals the audit log, under the current ASSAY_SECRET. Works row
 * by row, so it can be interrupted anywhere and rerun. A secret that someone changes in the
 * meantime is left unchanged.
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
  await rewrapSecondFactors(ctx, count);
  const { resealed, current, broken } = await resealAuditChains(ctx);
  count.rewrapped += resealed;
  count.current += current;
  count.unreadable.push(...broken);
  return count;
}

/** The two texts of an account's second step are encrypted by better-auth, without wrapped keys. */
async function rewrapSecondFactors(
  { sql, env }: Ctx,
  count: { rewrapped: number; current: number; unreadable: string[] },
): Promise<void> {
  const keys = [env.secret, env.secretPrevious ?? null].filter((key) => key !== null);
  const [current] = keys;
  if (current === undefined) return;
  const rows = await sql<{ id: string; secret: string; backup_codes: string }[]>`
    select id, secret, backup_codes from auth_two_factors order by id`;
  for (const { id, secret, backup_codes: codes } of rows) {
    const opened = await openWithAny(keys, [secret, codes]);
    if (opened === null)
      count.unreadable.push(
        `auth_two_factors ${id}: encrypted under another ASSAY_SECRET; turn it off with assay owner turn-off-two-step`,
      );
    else if (opened.key === current) count.current++;
    else {
      const [newSecret = '', newCodes = ''] = await Promise.all(
        opened.texts.map((data) => symmetricEncrypt({ key: current, data })),
      );
      await sql`
        update auth_two_factors set secret = ${newSecret}, backup_codes = ${newCodes}
        where id = ${id} and secret = ${secret} and backup_codes = ${codes}`;
      count.rewrapped++;
    }
  }
}

async function openWithAny(
  keys: readonly string[],
  sealed: readonly string[],
): Promise<{ readonly key: string; readonly texts: readonly string[] } | null> {
  for (const key of keys) {
    const texts = await Promise.all(sealed.map((data) => symmetricDecrypt({ key, data }))).catch(
      () => null,
    );
    if (texts !== null) return { key, texts };
  }
  return null;
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
