import type { ProjectCtx } from '../../access';
import { notFound } from '../../platform';

/** A set without its items and runs. */
export interface AnchorSetRow {
  readonly id: string;
  readonly verifier: string;
  readonly name: string;
  readonly items: number;
  readonly isRetired: boolean;
}

/** @throws AssayError not_found, also for a set of another project */
export async function findAnchorSet(
  { sql, projectId }: ProjectCtx,
  id: string,
): Promise<AnchorSetRow> {
  const [row] = await sql<
    { verifier_slug: string; name: string; items: number; retired: boolean }[]
  >`
    select verifier_slug, name, items, retired_at is not null as retired from anchor_sets where project_id = ${projectId} and id = ${id}`;
  if (row === undefined) throw notFound('anchor set');
  return {
    id,
    verifier: row.verifier_slug,
    name: row.name,
    items: row.items,
    isRetired: row.retired,
  };
}
