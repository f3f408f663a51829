import type { Ctx } from '../platform';

/**
 * The version that the label `production` points to in one project; its body is null if the version
 * was deleted.
 */
export interface PromotedPrompt {
  readonly projectId: string;
  readonly slug: string;
  readonly version: number;
  readonly body: string | null;
}

/**
 * The promoted versions of these prompts in all projects; `chooseText` decides which text is used.
 */
export async function listPromoted(
  ctx: Pick<Ctx, 'sql'>,
  slugs: readonly string[],
): Promise<PromotedPrompt[]> {
  const rows = await ctx.sql<
    { project_id: string; slug: string; version: number; body: string | null }[]
  >`
    select l.project_id, l.slug, l.version, v.body from prompt_labels l
    left join prompt_versions v on v.project_id = l.project_id and v.slug = l.slug and v.version = l.version
    where l.label = 'production' and l.slug in (select jsonb_array_elements_text(${JSON.stringify(slugs)}::text::jsonb))`;
  return rows.map(({ project_id, ...row }) => ({ projectId: project_id, ...row }));
}
