import type { Ctx } from '../platform';
import { parseKey, sameHash } from './keys';
import type { KeyScope } from './roles';

/**
 * A key that is not revoked, of any project: cached in the gateway to check keys without a query.
 */
export interface LiveKey {
  readonly id: string;
  readonly projectId: string;
  readonly secretHash: string;
  readonly scopes: readonly KeyScope[];
  /** Unix milliseconds; null if the key does not expire. */
  readonly expiresMs: number | null;
}

/**
 * All keys of all projects that are not revoked, including expired ones. The secrets themselves
 * are stored nowhere.
 */
export async function listLiveKeys(ctx: Pick<Ctx, 'sql'>): Promise<LiveKey[]> {
  const rows = await ctx.sql<
    {
      id: string;
      project_id: string;
      secret_hash: string;
      scopes: KeyScope[];
      expires_ms: number | null;
    }[]
  >`
    select id, project_id, secret_hash, to_jsonb(scopes) as scopes,
      (extract(epoch from expires_at) * 1000)::float8 as expires_ms
    from api_keys where revoked_at is null`;
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    secretHash: row.secret_hash,
    scopes: row.scopes,
    expiresMs: row.expires_ms,
  }));
}

/**
 * Looks up `text` among the cached keys: a hash, a look-up by id, and a comparison in constant time
 * (S-12). `malformed` cannot be one of our keys; `wrong` has the id of a key but not its secret.
 */
export function matchKey(
  text: string,
  find: (id: string) => LiveKey | undefined,
): LiveKey | 'malformed' | 'unknown' | 'wrong' {
  const parsed = parseKey(text);
  if (parsed === null) return 'malformed';
  const known = find(parsed.id);
  if (known === undefined) return 'unknown';
  return sameHash(parsed.secretHash, known.secretHash) ? known : 'wrong';
}

/** Only informative. @throws on storage faults */
export async function recordKeysUsed(ctx: Pick<Ctx, 'sql'>, ids: readonly string[]): Promise<void> {
  await ctx.sql`
    update api_keys set last_used_at = now()
    where id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)) and revoked_at is null`;
}
