import type { ProjectCtx } from '../access';
import { type PromptDefaults, resolvePrompts } from '../prompts';
import type { Verifier } from './custom-verifiers';

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
 * The stored definition, with the production version of its prompt.
 * @throws Error for a verifier of the release
 */
export async function describeDefinition(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  verifier: Verifier,
): Promise<DescribedVerifier> {
  const [described] = await describeDefinitions(ctx, prompts, [verifier]);
  if (described === undefined) throw new Error(`"${verifier.slug}" was not described`);
  return described;
}

/** The same for several verifiers, in their order, in two queries. */
export async function describeDefinitions(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  verifiers: readonly Verifier[],
): Promise<DescribedVerifier[]> {
  const slugs = verifiers.map(({ slug }) => slug);
  const withPrompt = verifiers.filter(({ kind }) => kind.custom?.definitionOf !== undefined);
  const [texts, overridden] = await Promise.all([
    resolvePrompts(
      ctx,
      prompts,
      ctx.projectId,
      withPrompt.map(({ slug }) => slug),
    ),
    overriddenKeys(ctx, slugs),
  ]);
  return verifiers.map(({ slug, kind, custom }) => {
    if (custom === null) throw new Error(`"${slug}" is a verifier of the release`);
    return {
      slug,
      kind: kind.name,
      version: custom.version,
      definition: {
        slug,
        kind: kind.name,
        ...writtenDefinition(slug, kind, custom.config, texts.get(slug)?.prompt.text),
      },
      archivedAt: custom.archivedAt,
      overridden: overridden.get(slug) ?? [],
      by: custom.by,
      at: custom.at,
    };
  });
}

function writtenDefinition(
  slug: string,
  { custom }: Verifier['kind'],
  config: unknown,
  prompt: string | undefined,
): Readonly<Record<string, unknown>> {
  const stored = config as Readonly<Record<string, unknown>>;
  if (custom?.definitionOf !== undefined && prompt === undefined)
    throw new Error(`there is no prompt of the verifier "${slug}"`);
  const written = custom?.definitionOf?.(stored, prompt ?? '') ?? stored;
  // JSON in the database has no order of members; the schema's is the one that people read.
  return custom?.definition.safeParse(written).data ?? written;
}

/** The keys of thresholds that people changed for the whole project. */
export const listOverridden = async (ctx: ProjectCtx, slug: string): Promise<readonly string[]> =>
  (await overriddenKeys(ctx, [slug])).get(slug) ?? [];

/** The same for several verifiers, by slug. */
async function overriddenKeys(
  { sql, projectId }: ProjectCtx,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql<{ verifier: string; key: string }[]>`
    select verifier, key from (
      select distinct on (verifier, key) verifier, key, value from thresholds
      where project_id = ${projectId} and mission_id = '' and task_id = ''
        and verifier in (select jsonb_array_elements_text(${JSON.stringify(slugs)}::text::jsonb))
      order by verifier, key, version desc
    ) as latest where value is not null order by verifier, key`;
  return new Map(
    slugs.map((slug) => [
      slug,
      rows.filter(({ verifier }) => verifier === slug).map(({ key }) => key),
    ]),
  );
}
