import type { ProjectCtx } from '../access';
import type { Verifier } from './own-verifiers';

/** A verifier that the project defined, as callers write and read it. */
export interface DescribedVerifier {
  readonly slug: string;
  readonly kind: string;
  readonly version: number;
  /** The body of `PUT /v1/verifiers/{slug}` that stores it again. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly archivedAt: Date | null;
  /** Keys of thresholds whose defaults people replaced for the whole project. */
  readonly overridden: readonly string[];
  readonly by: string;
  readonly at: Date;
}

/**
 * @param readPrompt the current text of a prompt of the project, for kinds that have one
 */
export async function describeVerifier(
  ctx: ProjectCtx,
  { slug, kind, own }: Verifier,
  readPrompt: (slug: string) => Promise<string>,
): Promise<DescribedVerifier | null> {
  if (own === null) return null;
  const { definitionOf } = kind.own ?? {};
  const stored = own.config as Readonly<Record<string, unknown>>;
  const definition = definitionOf?.(stored, await readPrompt(slug)) ?? stored;
  return {
    slug,
    kind: kind.name,
    version: own.version,
    definition: { slug, kind: kind.name, ...definition },
    archivedAt: own.archivedAt,
    overridden: await listOverridden(ctx, slug),
    by: own.by,
    at: own.at,
  };
}

async function listOverridden(ctx: ProjectCtx, slug: string): Promise<string[]> {
  const rows = await ctx.sql<{ key: string }[]>`
    select key from (
      select distinct on (key) key, value from thresholds
      where project_id = ${ctx.projectId} and verifier = ${slug} and mission_id = '' and task_id = ''
      order by key, version desc
    ) as latest where value is not null order by key`;
  return rows.map(({ key }) => key);
}
