import type { ProjectCtx } from '../../access';
import { getDatasetRow } from './dataset';
import { readPlace, writePlace } from './place-cursor';

/** A version, with its counts at its creation. */
export interface DatasetVersion {
  readonly version: number;
  readonly items: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** Newest first. @throws AssayError not_found; invalid_request on a foreign cursor */
export async function listDatasetVersions(
  ctx: ProjectCtx,
  input: {
    readonly slug: string;
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  },
): Promise<{ readonly items: readonly DatasetVersion[]; readonly nextCursor: string | null }> {
  const { sql, projectId } = ctx;
  const { slug, cursor, limit = 50 } = input;
  const before = cursor === undefined ? null : readPlace(cursor);
  const { id } = await getDatasetRow(ctx, slug);
  const rows = await sql<
    {
      version: number;
      items: number;
      added: number;
      changed: number;
      removed: number;
      created_by: string;
      created_at: string;
    }[]
  >`
    select version, items, added, changed, removed, created_by, created_at from dataset_versions
    where project_id = ${projectId} and dataset_id = ${id}
      ${before === null ? sql`` : sql`and version < ${before.ordinal}`}
    order by version desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ created_by: createdBy, created_at: createdAt, ...counts }) => ({
      ...counts,
      createdBy,
      createdAt: new Date(createdAt),
    })),
    nextCursor:
      rows.length > limit && last !== undefined
        ? writePlace({ ordinal: last.version, id: '' })
        : null,
  };
}
