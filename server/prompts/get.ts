import type { ProjectCtx } from '../access';
import { notFound } from '../platform';
import { getBase, placeholdersOf, verifierOf } from './base';
import type { PromptDefaults } from './defaults';
import type { PromptOutput } from './front-matter';
import { asDate, type Production } from './list';
import { chooseText, type PromptFallback } from './resolve';

export interface PromptVersion {
  /** 0 is the text shipped with the release, which has no author here. */
  readonly version: number;
  readonly message: string;
  readonly by: string | null;
  readonly at: Date | null;
  readonly labels: readonly string[];
}

/** One prompt with its history; the text of each version is loaded separately. */
export interface PromptDetail {
  readonly slug: string;
  readonly kind: string;
  /**
   * The verifier that uses it: its kind, or the custom verifier with the prompt's slug. Null
   * for a prompt of an application.
   */
  readonly verifier: string | null;
  /**
   * The version that runs if none is promoted: 0 of the release, 1 of the project's custom prompts.
   */
  readonly base: 0 | 1;
  readonly title: string;
  readonly description: string;
  readonly output: PromptOutput;
  /** Each occurs in the text as `{{name}}`. */
  readonly variables: readonly string[];
  readonly optional: readonly string[];
  readonly production: Production;
  readonly labels: readonly PromptLabelRow[];
  /** The newest first; version 0 last, which prompts of the project do not have. */
  readonly versions: readonly PromptVersion[];
  readonly fellBack: PromptFallback | null;
}

export interface PromptLabelRow {
  readonly label: string;
  readonly version: number;
  readonly by: string;
  readonly at: Date;
}

/** @throws AssayError not_found */
export async function getPrompt(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  slug: string,
): Promise<PromptDetail> {
  const base = await getBase(ctx, defaults, slug);
  const { sql, projectId } = ctx;
  const [versions, labelRows] = await Promise.all([
    sql<{ version: number; message: string; created_by: string; created_at: string }[]>`
      select version, message, created_by, created_at from prompt_versions
      where project_id = ${projectId} and slug = ${slug} order by version desc`,
    sql<
      { label: string; version: number; moved_by: string; moved_at: string; body: string | null }[]
    >`
      select l.label, l.version, l.moved_by, l.moved_at, case when l.label = 'production' then v.body end as body
      from prompt_labels l
      left join prompt_versions v on v.project_id = l.project_id and v.slug = l.slug and v.version = l.version
      where l.project_id = ${projectId} and l.slug = ${slug} order by l.label collate "C"`,
  ]);
  const promoted = labelRows.find(({ label }) => label === 'production') ?? null;
  const { front, fellBack } = chooseText(base, promoted);
  const labelsOf = (version: number): string[] => [
    ...(version === base.version && promoted === null ? ['production'] : []),
    ...labelRows.filter((row) => row.version === version).map(({ label }) => label),
  ];
  return {
    slug,
    kind: base.kind,
    verifier: verifierOf(base),
    base: base.version,
    title: front.title,
    description: front.description,
    output: front.output,
    variables: front.variables,
    optional: placeholdersOf(base, front),
    production: {
      version: promoted?.version ?? base.version,
      by: promoted?.moved_by ?? null,
      at: asDate(promoted?.moved_at),
    },
    labels: labelRows.map(({ label, version, moved_by, moved_at }) => ({
      label,
      version,
      by: moved_by,
      at: new Date(moved_at),
    })),
    versions: [
      ...versions.map(({ version, message, created_by, created_at }) => ({
        version,
        message,
        by: created_by,
        at: new Date(created_at),
        labels: labelsOf(version),
      })),
      ...(base.version === 0
        ? [
            {
              version: 0,
              message: 'The text of this release',
              by: null,
              at: null,
              labels: labelsOf(0),
            },
          ]
        : []),
    ],
    fellBack,
  };
}

/** The whole markdown of one version, as saved. @throws AssayError not_found */
export async function getPromptBody(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  slug: string,
  version: number,
): Promise<string> {
  const base = await getBase(ctx, defaults, slug);
  if (version === base.version) return base.body;
  const [row] = await ctx.sql<{ body: string }[]>`
    select body from prompt_versions where project_id = ${ctx.projectId} and slug = ${slug} and version = ${version}`;
  if (row === undefined) throw notFound('version');
  return row.body;
}
