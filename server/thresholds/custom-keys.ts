import type { ProjectCtx } from '../access';
import { isOfRelease, listThresholdKeys, type ThresholdKey } from './keys';

/** The keys of each verifier that the project defined, with the defaults of its definition. */
export async function readCustomKeys(
  { sql, projectId }: Pick<ProjectCtx, 'sql' | 'projectId'>,
  verifier?: string,
): Promise<ReadonlyMap<string, readonly ThresholdKey[]>> {
  if (verifier !== undefined && isOfRelease(verifier)) return new Map();
  const rows = await sql<{ slug: string; stated: Record<string, number> | null }[]>`
    select v.slug, latest.stated from verifiers v cross join lateral (
      select config -> 'thresholds' as stated from verifier_versions
      where project_id = v.project_id and slug = v.slug order by version desc limit 1
    ) as latest
    where v.project_id = ${projectId} and v.archived_at is null
      ${verifier === undefined ? sql`` : sql`and v.slug = ${verifier}`}
    order by v.slug collate "C"`;
  return new Map(
    rows.map(({ slug, stated }) => [
      slug,
      listThresholdKeys(slug).map((key) => ({
        ...key,
        standard: stated?.[key.key] ?? key.standard,
      })),
    ]),
  );
}

/** The keys of a verifier of the project; empty if it compares nothing, or there is none. */
export async function findThresholdKeys(
  ctx: Pick<ProjectCtx, 'sql' | 'projectId'>,
  verifier: string,
): Promise<readonly ThresholdKey[]> {
  if (isOfRelease(verifier)) return listThresholdKeys(verifier);
  return (await readCustomKeys(ctx, verifier)).get(verifier) ?? [];
}
