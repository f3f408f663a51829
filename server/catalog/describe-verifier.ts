import type { ProjectCtx } from '../access';
import { type PromptDefaults, resolvePrompt } from '../prompts';
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
 * The stored definition, with the text of its prompt that is in production.
 * @throws Error for a verifier of the release
 */
export async function describeDefinition(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  { slug, kind, own }: Verifier,
): Promise<DescribedVerifier> {
  if (own === null) throw new Error(`"${slug}" is a verifier of the release`);
  const stored = own.config as Readonly<Record<string, unknown>>;
  const written =
    kind.own?.definitionOf === undefined
      ? stored
      : kind.own.definitionOf(stored, await readPromptText(ctx, prompts, slug));
  // JSON in the database has no order of members; the schema's is the one that people read.
  const definition = kind.own?.definition.safeParse(written).data ?? written;
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

async function readPromptText(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  slug: string,
): Promise<string> {
  const { prompt } = await resolvePrompt(ctx, prompts, ctx.projectId, slug);
  return prompt.text;
}

/** The keys of thresholds that people tuned for the whole project. */
export async function listOverridden(ctx: ProjectCtx, slug: string): Promise<string[]> {
  const rows = await ctx.sql<{ key: string }[]>`
    select key from (
      select distinct on (key) key, value from thresholds
      where project_id = ${ctx.projectId} and verifier = ${slug} and mission_id = '' and task_id = ''
      order by key, version desc
    ) as latest where value is not null order by key`;
  return rows.map(({ key }) => key);
}
