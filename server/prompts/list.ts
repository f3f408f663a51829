import type { ProjectCtx } from '../access';
import { listCustomBases, verifierOf } from './base';
import type { PromptDefaults } from './defaults';
import type { PromptOutput } from './front-matter';
import { chooseText, type PromptFallback } from './resolve';

/** A prompt as shown in a list. */
export interface PromptSummary {
  readonly slug: string;
  /** The kind of the verifier that uses it, or `application`. */
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
  /** Of the current version. */
  readonly title: string;
  readonly description: string;
  readonly output: PromptOutput;
  readonly production: Production;
  readonly latest: {
    readonly version: number;
    readonly by: string | null;
    readonly at: Date | null;
  };
  readonly fellBack: PromptFallback | null;
}

/** The author and time of the current promotion; null if none was ever promoted. */
export interface Production {
  readonly version: number;
  readonly by: string | null;
  readonly at: Date | null;
}

interface SummaryRow {
  slug: string;
  production: number | null;
  moved_by: string | null;
  moved_at: string | null;
  body: string | null;
  latest: number | null;
  created_by: string | null;
  created_at: string | null;
}

/**
 * Every prompt of this release and of the project, in the order of their slugs, with the project's
 * state.
 */
export async function listPrompts(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
): Promise<PromptSummary[]> {
  const { sql, projectId } = ctx;
  const bases = [...defaults.values(), ...(await listCustomBases(ctx, defaults))].sort((a, b) =>
    a.slug < b.slug ? -1 : 1,
  );
  const rows = await sql<SummaryRow[]>`
    select s.slug, l.version as production, l.moved_by, l.moved_at, p.body, v.version as latest, v.created_by, v.created_at
    from jsonb_array_elements_text(${JSON.stringify(bases.map(({ slug }) => slug))}::text::jsonb) as s(slug)
    left join prompt_labels l on l.project_id = ${projectId} and l.slug = s.slug and l.label = 'production'
    left join prompt_versions p on p.project_id = ${projectId} and p.slug = s.slug and p.version = l.version
    left join lateral (
      select version, created_by, created_at from prompt_versions
      where project_id = ${projectId} and slug = s.slug order by version desc limit 1
    ) v on true`;
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  return bases.map((base) => {
    const row = bySlug.get(base.slug);
    const promoted = row?.production == null ? null : { version: row.production, body: row.body };
    const { front, fellBack } = chooseText(base, promoted);
    return {
      slug: base.slug,
      kind: base.kind,
      verifier: verifierOf(base),
      base: base.version,
      title: front.title,
      description: front.description,
      output: front.output,
      production: {
        version: promoted?.version ?? base.version,
        by: row?.moved_by ?? null,
        at: asDate(row?.moved_at),
      },
      latest: {
        version: row?.latest ?? base.version,
        by: row?.created_by ?? null,
        at: asDate(row?.created_at),
      },
      fellBack,
    };
  });
}

export function asDate(text: string | null | undefined): Date | null {
  return text == null ? null : new Date(text);
}
