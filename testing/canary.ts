import type { Sql } from 'postgres';

/**
 * Secrets that tests use. They must not appear (S-98, S-101) in the output of a test's processes,
 * in its database before it is dropped, or in its Redis before it is stopped. A test plants one by
 * using `canary`, or an environment that contains one.
 */

/**
 * A provider's key, a header or a password. It lacks the usual prefix of API keys, so that the
 * search must find it by its value, not by its form.
 */
export const canary = 'canary-5ecret5ecret5ecret';

/** Part of every planted secret, and of the `ASSAY_SECRET` of all tests. */
const marks = ['5ecret5ecret', 'test-secret-test-secret'];

/** A whole API key, as shown once on creation (server/access/keys.ts). */
const apiKey = 'asy_[a-z]{1,8}_[0-9a-f]{20}_[A-Za-z0-9_-]{27}[0-9a-f]{6}';

/** The secrets in the environment of a process. */
export function secretsIn(
  variables: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const values = Object.entries(variables).flatMap(([name, value = '']) => {
    if (/^(DATABASE|REDIS)_URL$/.test(name)) return [passwordIn(value)];
    return /(SECRET|SECRET_PREVIOUS|API_KEY|TOKEN)$/.test(name) ? [value] : [];
  });
  return [...new Set([...marks, ...values])].filter((value) => value.length >= 8);
}

export function passwordIn(url: string): string {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).password) : '';
}

/** The first secret in a text, with its surroundings; null if there is none. */
export function findSecret(text: string, secrets: readonly string[]): string | null {
  const found = [
    ...secrets.map((secret) => text.indexOf(secret)),
    text.search(new RegExp(apiKey)),
  ].filter((at) => at >= 0);
  if (found.length === 0) return null;
  const at = Math.min(...found);
  return text.slice(Math.max(0, at - 200), at + 100);
}

/**
 * Tables that contain a secret, each with the number of its rows that do. Reads the whole database,
 * including the queue's schema.
 */
export async function findSecretsIn(sql: Sql, secrets: readonly string[]): Promise<string[]> {
  const tables = await sql<{ place: string; bytes: string[] | null }[]>`
    select format('%I.%I', t.table_schema, t.table_name) as place,
      to_jsonb(array_agg(format('%I', c.column_name)) filter (where c.data_type = 'bytea')) as bytes
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and t.table_schema not in ('pg_catalog', 'information_schema') group by 1 order by 1`;
  const form = [...secrets.map((secret) => secret.replace(/[^\w-]/g, '\\$&')), apiKey].join('|');
  // One statement for all tables: a round trip for each takes longer than the search.
  const counts = tables.map(({ place, bytes }) => {
    const inBytes = (bytes ?? []).flatMap((column) =>
      secrets.map(
        (secret) =>
          `position('\\x${Buffer.from(secret).toString('hex')}'::bytea in x.${column}) > 0`,
      ),
    );
    const where = [`x::text ~ '${form.replaceAll("'", "''")}'`, ...inBytes].join(' or ');
    return `select '${place.replaceAll("'", "''")}' as place, count(*)::int as n from ${place} x where ${where}`;
  });
  if (counts.length === 0) return [];
  const rows = await sql.unsafe<{ place: string; n: number }[]>(counts.join(' union all '));
  return rows.filter(({ n }) => n > 0).map(({ place, n }) => `${place}: ${n}`);
}
