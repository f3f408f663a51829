import type { ProjectCtx } from '../access';
import type { Policy } from './review/item';

interface Row {
  version: number;
  body: string;
  message: string;
  created_by: string;
  created_at: string;
}

/** The versions of a verifier's policy, the current one first. */
export async function listPolicies(
  ctx: ProjectCtx,
  { verifier }: { readonly verifier: string },
): Promise<Policy[]> {
  const rows = await ctx.sql<Row[]>`
    select version, body, message, created_by, created_at from label_policies
    where project_id = ${ctx.projectId} and verifier_slug = ${verifier} order by version desc`;
  if (rows.length === 0) return [];
  const counts = await countLabels(ctx, verifier);
  return rows.map((row) => ({
    version: row.version,
    body: row.body,
    message: row.message,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    labels: counts.get(row.version) ?? 0,
  }));
}

/** The number of labels given under each version, including undone ones. */
export async function countLabels(
  ctx: ProjectCtx,
  verifier: string,
): Promise<ReadonlyMap<number, number>> {
  const rows = await ctx.sql<{ policy: number; labels: number }[]>`
    select policy, count(*)::int as labels from labels l
    where project_id = ${ctx.projectId} and verifier_slug = ${verifier} and policy is not null and kind <> 'undo'
      and not exists (select from turns t where t.project_id = l.project_id and t.id = l.subject_id and t.origin = 'experiment')
    group by policy`;
  return new Map(rows.map(({ policy, labels }) => [policy, labels]));
}
