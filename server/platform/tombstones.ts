import type { Fragment } from 'postgres';
import type { Ctx } from './context';
import { derivedId, sha256 } from './ids';

/** The kinds of items that a deletion names or finds; `verdict` is pending work. */
export type TombstoneKind =
  | 'project'
  | 'session'
  | 'trace'
  | 'turn'
  | 'subject'
  | 'user'
  | 'verdict';

/** The answer to the sender of deleted content; the content itself is not stored. */
export const deletedMessage = 'it was deleted, and is not stored again';

/**
 * Hashes a user's id for the list of deletions, which must not be the last place that contains it.
 */
export function userKey(userId: string): string {
  return sha256(userId);
}

/**
 * A condition, inside the statement that stores a row, that is true if the row must not be stored.
 * It sees the latest deletions, regardless of the cache of the process. While nothing was ever
 * deleted in this installation, it costs one probe of an empty table per statement.
 * @param keys rows of `(kind, key)`, for a `values`; a null key names nothing
 */
export function isDeleted({ sql }: Pick<Ctx, 'sql'>, project: Fragment, keys: Fragment): Fragment {
  return sql`((select exists (select from tombstones)) and exists (
    select from (values ('project', ''), ${keys}) as named(kind, key)
    join tombstones d on d.project_id = ${project} and d.kind = named.kind and d.key = named.key))`;
}

/** The ids among these that were deleted, as a turn or as another subject. */
export async function findDeletedSubjects(
  { sql, projectId }: Pick<Ctx, 'sql'> & { readonly projectId: string },
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql<{ key: string }[]>`
    select d.key from jsonb_array_elements_text(${JSON.stringify([...new Set(ids)])}::text::jsonb) as wanted(id)
    join tombstones d on d.project_id = ${projectId} and d.kind in ('turn', 'subject') and d.key = wanted.id`;
  return new Set(rows.map((row) => row.key));
}

/**
 * Repeating a deletion returns the same id.
 * @param key as `tombstones` has it
 */
export function deletionId(projectId: string, kind: TombstoneKind, key: string): string {
  return derivedId('del', projectId, kind, key);
}

/** The channel that announces pending deletions. */
export const deletionChannel = 'assay_deletions';

const members = ['user_id', 'userId', 'user.id', 'enduser.id', 'end_user_id', 'user'] as const;

/**
 * The end user that a turn, or work, is about, as its sender named them: `metadata.user_id` and its
 * other spellings, `metadata.user` as a text or with an `id`. Null if no user was named.
 */
export function userOf(metadata: unknown): string | null {
  if (typeof metadata !== 'object' || metadata === null) return null;
  const named = new Map(Object.entries(metadata));
  const span: unknown = named.get('span');
  // A turn assembled from spans has the user that their conventions name under `span`.
  if (span !== undefined && userOf(span) !== null) return userOf(span);
  for (const member of members) {
    const value: unknown = named.get(member);
    const id: unknown =
      typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
    if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
  }
  return null;
}
