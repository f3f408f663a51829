import { sql } from 'drizzle-orm';
import { schema } from '../../db';
import type { ProjectCtx } from '../access';
import type { Database } from '../platform';

export interface StoredConfig {
  readonly version: number;
  /** As stored, perhaps by another release. */
  readonly config: unknown;
}

/**
 * Serialises changes to a project's settings and configs until `tx` ends: two concurrent changes
 * would both create version n + 1.
 */
export async function lockVersions(ctx: ProjectCtx, tx: Database): Promise<void> {
  await tx.execute(sql`select 1 from projects where id = ${ctx.projectId} for update`);
}

/**
 * Queries on the connection of `tx`: with a second connection, as many concurrent changes as the
 * pool has connections would deadlock.
 */
export async function latestConfig(
  ctx: ProjectCtx,
  tx: Database,
  slug: string,
): Promise<StoredConfig> {
  const { verifierVersions: versions } = schema;
  const [latest] = await tx
    .select({ version: versions.version, config: versions.config })
    .from(versions)
    .where(sql`${versions.projectId} = ${ctx.projectId} and ${versions.slug} = ${slug}`)
    .orderBy(sql`${versions.version} desc`)
    .limit(1);
  return latest ?? { version: 1, config: {} };
}

/**
 * Stores the verifier's next version, for future verdicts. Version 1 is the kind's defaults and has
 * no row.
 */
export async function storeVersion(
  ctx: ProjectCtx,
  tx: Database,
  {
    slug,
    kind,
    version,
    config,
  }: { slug: string; kind: string; version: number; config: Record<string, unknown> },
): Promise<void> {
  await tx
    .insert(schema.verifierVersions)
    .values({ projectId: ctx.projectId, slug, version, kind, config, createdBy: ctx.actor.label });
}
