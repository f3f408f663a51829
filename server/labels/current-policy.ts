import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../access';
import type { Database } from '../platform';

/** The current version of a verifier's label policy, or null if it has none. */
export async function currentPolicy(
  db: Pick<Database, 'execute'>,
  { projectId }: Pick<ProjectCtx, 'projectId'>,
  verifierSlug: string,
): Promise<number | null> {
  const [row] = await db.execute<{ version: number | null }>(sql`
    select max(version) as version from label_policies where project_id = ${projectId} and verifier_slug = ${verifierSlug}`);
  return row?.version ?? null;
}
